/** The words that identify English work: a text that starts with one of these verbs is work. */

const PLAIN = new Set(
  `abstract achieve adapt add adjust adopt aggregate agree align analyse analyze annotate answer apply arrange ask
  assemble assess assign attach augment authenticate authorize automate boost boot bring browse bump calculate
  calibrate carry catch choose clarify classify clear clone close cluster collect combine compare compile compress
  compute concatenate configure confirm connect consolidate construct containerise containerize convert correct
  craft crawl create crop customise customize debug decide decode decrease deduplicate define delete deliver
  demonstrate denoise describe detect determine develop diagnose disable discuss distill dockerise dockerize
  downgrade download draft eliminate embed enable encode encrypt enforce enhance ensure enumerate escape establish
  evaluate examine execute expand experiment explain explore expose extend extract fetch figure fill finalise
  finalize find finetune finish fix follow gather generate get give go handle harden help hide identify implement
  improve include increase infer inform initialise initialize inline inspect install instrument integrate interview
  introduce investigate isolate iterate join justify keep launch learn let locate look lower maintain make manage
  mark measure migrate minify minimise minimize mirror modernise modernize modify mount move normalise normalize
  notify obtain optimise optimize orchestrate organise organize paginate parallelise parallelize parametrize paste
  perform persist pick populate predict prepare preprocess present preserve prevent produce proofread propose
  protect prove provide provision publish purge put quantise quantize raise rank re-run read rebase rebuild
  recalculate recognise recognize recommend recompute reconcile reconfigure record recover recreate redact redesign
  reduce refactor refine reformat reimplement reindex relabel remove rename render reorder repackage repair repeat
  rephrase replace replay replicate reproduce rerank rerender research reset resize resolve restart restore
  restructure rethink retrain retrieve retry reuse revert revise reword rewrite roll rollback rotate run sanitise
  sanitize save scaffold scale scan scrape segment select send separate serialise serialize serve share ship shorten
  show shuffle simplify simulate sketch solve stabilise stabilize standardise standardize strengthen study submit
  suggest summarise summarize survey swap switch synchronise synchronize tackle take tell transform translate
  troubleshoot try tune turn understand unify uninstall upgrade upload use validate vectorise vectorize verify
  visualise visualize warn wipe wire wrap write`.split(/\s+/u),
)
/** Words that are as often nouns. Without an object they start no work, unless they are in a list. */
const DOUBTFUL = new Set(
  `archive audit back backup balance benchmark branch build cache change check clean commit complete copy count cut demo
  deploy design document drop estimate export filter fit fork format group host import index label lint limit link list
  load log map merge mock model monitor name open package parse patch place plan plot port print process profile prototype
  prune pull push query release report review sample schedule search secure set sign sketch sort split stage start stop
  store stress stub support sync tag test time trace track train trim update warm`.split(/\s+/u),
)
/** The doubtful words that form a noun with the next word: `test coverage`. */
const COMPOUNDING = new Set(
  `backup balance branch build cache deploy design export filter fork host import index label load log map merge model
  package plan port process query release sample search stage start store stress support sync test time train`.split(
    /\s+/u,
  ),
)
const HEADS =
  /^(?:access|balancing|bars?|bench(?:es)?|box(?:es)?|buttons?|cases?|code|complexity|config(?:uration)?s?|coverage|cycles?|data|datasets?|docs?|documentation|endpoints?|engines?|environments?|errors?|failures?|features?|files?|fixtures|flows?|functionality|functions?|harness|history|infrastructure|instructions?|jobs?|keys?|logs?|loss|management|metrics|names?|notes?|numbers?|options?|outputs?|pages?|pipelines?|plans?|process(?:es)?|quality|queues?|rates?|reports?|results?|runners?|scores?|scripts?|servers?|sets?|settings?|speed|splits?|stages?|steps?|suites?|systems?|tables?|testing|times?|tool(?:s|ing)?|versions?)\b/iu

const ADVERB =
  /^(?:again|also|automatically|briefly|carefully|finally|first|fully|further|gradually|just|lastly|locally|manually|next|now|please|properly|quickly|safely|simply|then|thoroughly|together)\s+/iu
const WORD = /^([a-z]+(?:-[a-z]+)?)(?=$|[\s,;:!?]|\.(?:\s|$))[\s,;:!?.]*/iu
/** How an object starts. The placeholder characters stand for quoted text. */
const NEAR =
  /^(?:(?:a|again|all|an|any|both|each|every|everything|for|from|her|his|how|if|in|into|it|its|my|new|on|our|out|some|that|the|their|them|these|this|those|to|up|us|what|whether|which|why|with|your)\b|[\d\uE000-\uF8FF#@])/iu
/** Finite verbs, so that the word before is a subject and no verb: `Test is broken`. */
const FINITE =
  /^(?:are|can|cannot|can't|does|doesn't|fails?|had|has|have|is|isn't|looks?|may|must|seems?|shall|should|takes?|was|were|will)\b/iu

const isEnglishVerb = (word: string): boolean => {
  const plain = word.toLowerCase()
  return PLAIN.has(plain) || DOUBTFUL.has(plain) || /^(?:re|double|cross|pre|fine|auto)-/u.test(plain)
}

interface WorkPhrase {
  verb: string
  /** The object of the work and everything behind it. */
  rest: string
}

/** null: it does not start with work. */
export function englishWork(text: string): WorkPhrase | null {
  const bare = text.replace(ADVERB, '')
  const [whole = '', word = ''] = WORD.exec(bare) ?? []
  const verb = word.toLowerCase()
  const rest = bare.slice(whole.length)
  const known = isEnglishVerb(verb) || (verb === 'speed' && /^up\b/iu.test(rest))
  if (!known || FINITE.test(rest)) return null
  return COMPOUNDING.has(verb) && HEADS.test(rest) ? null : { verb, rest }
}

const DETERMINER =
  /^(?:a|an|all|any|each|every|his|her|its|my|new|no|one|our|some|that|the|their|these|this|those|your|\w+['’]s)$/iu
/** Words before a verb that may share its object: `Carefully review and merge the change`. */
const BEFORE_VERB =
  /(?:,|(?<!night|dai|week|month|hour|year|fami|assemb|on)ly|^(?:and|or|to|can|will|should|must|not|then|please|first|also))$/iu
const OBJECT =
  /^(?:(?:a|all|an|any|both|each|every|everything|her|his|it|its|my|our|some|that|the|their|them|these|this|those|what|which|your)\b|[\d\uE000-\uF8FF#])/iu
const TAIL_CHARS = 200

/** How a piece is joined to the text before it. */
export interface Joint {
  comma: boolean
  /** The same sentence was cut before. */
  listed: boolean
}

/** Whether `right` is work of its own. It is not when both sides share an object, a `to` or a `that`. */
export function cutsEnglish(left: string, right: string, { comma, listed }: Joint): boolean {
  const work = englishWork(right)
  if (work === null) return false
  const bare = work.rest.trim() === ''
  if (bare && DOUBTFUL.has(work.verb) && !comma && !listed) return false
  const tail = left.slice(-TAIL_CHARS)
  if (sharesObject(tail, work)) return false
  return (comma && !/^(?:it|them|him|her)\b/iu.test(work.rest)) || !isSubordinate(tail)
}

/** Whether the text ends in a verb: `Install and …` shares the object behind it, `the build and …` is a noun. */
function sharesObject(tail: string, { verb, rest }: WorkPhrase): boolean {
  const words = tail.trim().split(/\s+/u).slice(-4)
  const last = words.pop() ?? ''
  if (!isEnglishVerb(last)) return false
  if (BEFORE_VERB.test(words.at(-1) ?? ',') || HEADS.test(rest)) return true
  return words.some((word) => DETERMINER.test(word)) ? DOUBTFUL.has(verb) && !NEAR.test(rest) : !OBJECT.test(rest)
}

const RELATIVE =
  /\b(?:(?:that|which|who|users?)\s+(?:can|could|may|might|must|will|would)|so that|such that|able to|lets?\s+\w+|allows?\s+\w+)\b/iu
/** Whether the text ends within a clause of purpose: `a script to download the data`. */
function isSubordinate(tail: string): boolean {
  if (RELATIVE.test(tail)) return true
  for (const [, word = ''] of tail.matchAll(/\b(?:to|that|which|who|users)\s+([a-z]+)/giu)) {
    if (isEnglishVerb(word)) return true
  }
  return false
}

/** Greetings and politeness, which are always removed. */
const POLITE =
  /^(?:(?:please|pls|kindly|hi|hello|hey|additionally|furthermore|in addition|afterwards?|after that|note(?: that)?(?=:)|important(?=:))(?=[\s,:])|(?:can|could|would|will) you(?: please)?|(?:i|we)(?:['’]d| would) like (?:you )?to|(?:i|we) want (?:you )?to|(?:i|we|you) (?:also |first )?(?:must|should|will|have to|need (?:you )?to|are going to|ought to)|help (?:me|us)(?: to)?|let['’]?s|(?:the|your|our|my) (?:goal|task|job|aim|objective|mission)(?: here)? is to|try to|be sure to|make sure to|remember to|(?:do not|don['’]?t) forget to|go ahead and)(?=[\s,:])[\s,:]*/iu
/** Words that are removed only before work, because `next` may start `next generation`. */
const LEADING =
  /^(?:also|again|and|but|finally|first(?:ly| of all)?|fourth(?:ly)?|just|lastly|next|now|ok(?:ay)?|second(?:ly)?|so|then|third(?:ly)?|well|yes)(?=[\s,:])([\s,:]+)/iu

/** `First, …`: words that only say the order. */
export const isEnglishOrder = (text: string): boolean => LEADING.test(`${text},`) && !/[\s,]/u.test(text)

/** Removes the words before the request itself; `begins` says whether a rest is a request. */
export function politeEnglish(text: string, begins: (rest: string) => boolean): string {
  const polite = POLITE.exec(text)
  if (polite !== null) return text.slice(polite[0].length)
  const leading = LEADING.exec(text)
  const rest = text.slice(leading?.[0].length ?? 0)
  return leading !== null && (leading[1]?.includes(',') || begins(rest) || LEADING.test(rest)) ? rest : text
}

const NOT = "(?:do\\s+not|don['’]?t|never|must(?:n['’]?t)?|no\\s+longer)"
const CONSTRAINT = new RegExp(
  `^(?:(?:and|but|please|also|note:)\\s+)*(?:${NOT}\\b(?!\\s+forget)|without\\b|avoid(?:ing)?\\b|only\\b(?!\\s+then\\b)|(?:use|using|with)\\s+only\\b|with\\s+no\\b|(?:while\\s+)?(?:keeping|maintaining|preserving)\\b|while\\s+not\\b|keep\\b(?=.{1,60}\\b(?:as\\s+(?:is|it\\s+is|they\\s+are)|below|compatible|intact|stable|the\\s+same|unchanged|under|within)\\b)|not\\s+(?:using|changing|touching|more|less|allowed)\\b|no\\s+(?:[\\w-]+\\s+){0,4}[\\w-]+[.!]*$)`,
  'iu',
)
/** `It must …`, `All of it should …`: the subject has a few words. */
const OBLIGED =
  /^(?:[\w'’\uE000-\uF8FF-]+\s+){1,8}(?:must|shall|should|may\s+not|has\s+to|have\s+to|(?:is|are)\s+not\s+allowed)\b/iu
const ONLY_AT_END = /\bonly[\s.!]*$/iu
const CONSTRAINT_CHARS = 300

export const beginsEnglishConstraint = (text: string): boolean => CONSTRAINT.test(text)
export const isEnglishObliged = (text: string): boolean => OBLIGED.test(text)
export function isEnglishConstraint(text: string): boolean {
  if (CONSTRAINT.test(text)) return true
  if (englishWork(text) !== null || text.length > CONSTRAINT_CHARS) return false
  return OBLIGED.test(text) || ONLY_AT_END.test(text)
}
/** A constraint on everything that is listed behind it: `do not change the API and rename files`. */
const BINDS = new RegExp(`^(?:[\\w'’-]+\\s+){0,8}?${NOT}\\b`, 'iu')
export const bindsEnglish = (text: string): boolean => BINDS.test(text)

/** A constraint that is the task itself when no work comes before it: `must reproduce …`, `only fix …`. */
export function obligesEnglish(text: string): boolean {
  const [, rest = ''] = /^(?:must|only)\s+(.*)$/isu.exec(text) ?? []
  const verb = englishWork(rest)?.verb
  return verb !== undefined && !/^(?:use|run|keep|support|follow|try|read|change|touch)$/u.test(verb)
}

const STATEMENT =
  /^(?:the|this|that|these|those|it|its|there|we|our|they|he|she|i|my|users?|some|all|both|many|most|every|currently|right now|at the moment|today|background|context|fyi)\b/iu
const SAYS =
  /\s(?:is|are|was|were|am|has|have|had|does|do|did|will|would|can|cannot|can['’]t|could|may|might|isn['’]t|aren['’]t|doesn['’]t|don['’]t|breaks|comes|contains|crashes|depends|fails|gets|gives|goes|hangs|keeps|leaks|lies|lives|looks|loses|makes|needs|reaches|reads|reports|returns|runs|says|scores|seems|shows|stops|takes|throws|uses|wants|works|writes|\w{2,}ed)(?=[\s.!?]|$)/iu
/** A statement such as `Login fails on Safari`, but not `Handle what is left`. */
const SHORT_SUBJECT =
  /^(?!\w+\s+(?:how|that|what|whatever|which|who|why)\b)(?:[\w'’-]+\s+){1,2}(?:are|breaks?|crashes|doesn['’]t|fails?|has|have|is|isn['’]t|seems?|takes|was|were)\b/iu
/** A statement describes something and asks for no work. */
export const isEnglishStatement = (text: string): boolean =>
  (STATEMENT.test(text) && SAYS.test(text.slice(0, TAIL_CHARS))) || SHORT_SUBJECT.test(text)
/** `Otherwise …` and `If …` belong to the text before them. */
export const isEnglishHint = (text: string): boolean =>
  /^(?:if|unless|in case|otherwise|e\.g\.|for example)\b/iu.test(text)
export const isEnglishCondition = (text: string): boolean =>
  /^(?:after|as soon as|at|based on|because|before|by|for|from|given|if|in|inside|on|once|since|to|under|unless|using|when|whenever|while|with|within)\b/iu.test(
    text,
  )
