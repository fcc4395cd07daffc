/** The words that identify an English request. */
import { withoutPoliteEnds } from './ends.ts'

const POLITE_BEFORE =
  /^(?:(?:please|pls|plz|kindly|hey|hi|hello|ok(?:ay)?|so|well|also|and|then|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|just|now|maybe|but|thanks)\b|(?:could|can|would|will)\s+you\b|i(?:'d|\s+would)\s+like\s+(?:you\s+)?to\b|i\s+want\s+(?:you\s+)?to\b|(?:i|we)\s+(?:also\s+)?(?:need|have|must|should|gotta|ought)(?:\s+to)?\b|i\s+want\b|i've\s+got\s+to\b|help\s+me\s+(?:to\b)?|let'?s\b|let\s+me\b|dear\s+\w+\b|my\s+dear\b)[\s,!.:]*/iu
const POLITE_AFTER =
  /(?:\bplease|\bpls|\bthanks(?:\s+(?:a\s+lot|so\s+much))?|\bthank\s+you(?:\s+(?:very|so)\s+much)?|\basap|\bfor\s+me|(?<![!.…])[!.…]+|\p{Extended_Pictographic}\uFE0F?)$/iu

/** Removes greetings and politeness from both ends. */
export const stripPoliteEn = (text: string): string => withoutPoliteEnds(text, POLITE_BEFORE, POLITE_AFTER)

const COMMANDS =
  "move|reschedule|postpone|rename|delay|push back|put off|bring forward|change|update|add|put|create|schedule|book|reserve|arrange|set up|set a|remind|remember|search|google|look ?up|look for|find|show|list|display|delete|remove|cancel|mark|tick off|cross off|note down|note|don'?t forget|tell me|make an? (?:appointment|reservation)|write (?:a|an|me)|draw|translate|summari[sz]e|compose|generate|explain|calculate|watch|see|play|have|host"
/** Verbs of errands; they become todos. */
const ERRANDS =
  'buy|get|grab|call|phone|ring|e-?mail|mail|send|pay|pick up|drop off|drop|collect|meet|visit|cook|bake|prepare|order|return|renew|submit|finish|complete|ask|fix|repair|sell|pack|feed|take|bring|print|sign|reply|respond|do the|do my|practi[sc]e|learn|review|organi[sz]e|tidy|vacuum|mow|donate|apply|register|update|upgrade|install|back ?up|charge|refill|change the|change my|replace|read|wash|clean|water the|water my|walk the|walk my|iron|text|message|contact|prepare|plan the|plan my|plan a|write to|write the|write my|write an? (?:e-?mail|letter|card|note|report|review|check)|make the|make my|make (?:dinner|lunch|breakfast|copies|sure|cookies|pancakes|coffee)|make a (?:cake|list|copy|backup|payment|donation|pie|salad)|finali[sz]e|attend|join|hang|throw|empty|lock|file|invite|wrap|deliver|check|go|run|hand in|turn in|turn off|turn on|switch off|defrost|unload|sort|study|download|upload|book'
/** Words that are as often nouns as verbs: `milk, water and bread`. */
const DOUBTFUL =
  'move|delay|change|update|order|drop|ring|phone|mail|sign|review|text|message|contact|iron|change|file|wrap|hang|check|run|pack|charge|study|sort|print|plan|book|note|list|show|call|cook|read|wash|clean|fix|return|watch|see|play|have|host|draw|explain'
const NEAR =
  '(?:the|a|an|my|our|his|her|their|your|this|that|these|those|some|all|it|for|about|with|back|mum|mom|dad|grandma|grandpa|to|up|[A-Z]\\p{L}+|\\d+)\\b'

const STARTS = new RegExp(`^(?:${COMMANDS}|${ERRANDS})\\s+(?!and\\b|or\\b|,)\\S`, 'iu')
const STARTS_DOUBTFUL = new RegExp(`^(?:${DOUBTFUL})\\b`, 'iu')
const STARTS_DOUBTFUL_WELL = new RegExp(
  `^(?:[a-z]+)\\s+(?:${NEAR}|\\p{L}+\\s+(?:at|on|by|for|tomorrow|today|about)\\b|[\\uE000-\\uE1FF])`,
  'u',
)
const ERRAND = new RegExp(`^(?:${ERRANDS})\\b\\s*\\S`, 'iu')

/** Whether a text without its politeness starts with a request. */
export function startsRequestEn(text: string): boolean {
  if (!STARTS.test(text)) return false
  return !STARTS_DOUBTFUL.test(text) || STARTS_DOUBTFUL_WELL.test(text.replace(/^[A-Z]/u, (sign) => sign.toLowerCase()))
}

/** Texts that a computer would have to write are no errand. */
const MADE_UP =
  /^(?:write|make|draw|compose|create|generate)\b.*\b(?:poem|song|story|joke|picture|image|video|code|program|essay|website|app)\b/iu
export const isErrandEn = (text: string) => ERRAND.test(text) && !MADE_UP.test(text)

/** `don't buy milk` is negated; `don't forget` is not. */
export const isNegatedEn = (text: string) =>
  /^(?:please\s+|but\s+)*(?:do\s*n'?t|do\s+not|never)\s+(?!forget\b|let\s+me\s+forget\b)\S/iu.test(text)

const OF_ENTRIES = 'move|reschedule|postpone|delay|push|shift|change|cancel|delete|remove'
const BOOKS = new RegExp(`^(?:book|reserve|schedule|arrange|${OF_ENTRIES})$`, 'iu')
const CARRIED = new RegExp(
  `^(?:(?:remind\\s+me|don'?t\\s+forget|remember)\\s+(?:to\\s+)?)?(?:${ERRANDS}|schedule|book|reserve|arrange|add|put|${OF_ENTRIES})\\b`,
  'iu',
)
/** The verb that `pears on Friday` shares with `buy apples tomorrow`. An event shares none, unless both are booked. */
export function sharedVerb(before: string, after: string): string {
  const verb = CARRIED.exec(before)?.[0] ?? ''
  return namesEventEn(after) && !BOOKS.test(verb) ? '' : verb
}

/** Activities that take place at a time; with a time they become events. */
export const isMeetingEn = (text: string) =>
  /^(?:meet|attend|join|have|host|go to|visit|see|watch|play|interview|fly to|fly|travel|lunch|dine|eat|jog|swim|hike|work out|exercise)\b/iu.test(
    text,
  )

const EVENT_NOUNS =
  /\b(?:dentist|doctor|gp|vet|physio|appointment|meeting|meet-?up|lunch|dinner|breakfast|brunch|coffee|gym|yoga|pilates|class|lesson|interview|party|birthday|flight|train|stand-?up|workout|haircut|hairdresser|barber|concert|movie|cinema|exam|test|conference|webinar|training|match|wedding|check-?up|therapy|therapist|session|call with|date with|sync|retro|review with|one-on-one|1:1|demo|picnic|barbecue|bbq|ceremony|event|massage|seminar|lecture|workshop)\b/iu
export const namesEventEn = (text: string) => EVENT_NOUNS.test(text)

/** Words in the place of a subject that name nothing. */
export const isEmptySubjectEn = (text: string) =>
  /^(?:an?\s+|the\s+|some\s+|my\s+)?(?:something|sth|some ?thing|event|appointment|it|this|that|stuff|things?|one|new|slot|time|entry|me|reminder|to-?do|task|item|reservation)?$/iu.test(
    text.trim(),
  )
