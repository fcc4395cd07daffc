/** Whether a report without a status clearly says that the work is done (O2-07): some clause says it, and none says the opposite. */

const CLAUSE = /[\n.!?;,。！？；，]+/u
const DONE =
  /\b(?:done|completed?|finished|succeeded|successful(?:ly)?|success|all (?:the )?(?:\d+ )?tests (?:are |have )?(?:now )?pass(?:ed|es|ing)?|works now)\b|已经?(?:全部|顺利|成功)?(?:完成|解决|修复|实现|通过)|(?:完成|解决|修复|实现)了|全部(?:完成|通过)|顺利完成|成功(?:完成|实现|修复|通过|运行|部署)|任务完成|^完成$|[:： ]完成$|搞定|大功告成/iu
/** Phrases about errors that report none: there were none, or they were fixed. */
const HARMLESS =
  /\b(?:fixed|resolved|repaired|solved|handled|corrected) (?:[\w'’-]+ ){0,4}?(?:fail\w*|crash\w*|blocked|unresolved)\b|(?:修复|解决|处理)了?[^，。；\n]{0,20}?(?:失败|无法|不能|报错|卡住)|\b(?:no|zero|0|without(?: any)?) (?:(?:further|more|other|known|open|remaining|new) )?(?:errors?|failures?|issues?|problems?|failed(?: tests?)?|failing tests?)\b|\b0 failed\b|没有(?:任何)?(?:错误|失败|问题|报错)|无(?:错误|失败|报错)|0 ?个?(?:失败|错误)/giu
const OPPOSITE =
  /\b(?:fail(?:ed|s|ing|ure)?|unable|aborted|blocked|incomplete|unfinished|unsuccessful(?:ly)?|unresolved|crash(?:ed|es)?|gave up|stuck|in progress|partial(?:ly)?|half)\b|\b(?:not|never|cannot|can['’]?t|couldn['’]?t|could not|wasn['’]?t|isn['’]?t|hasn['’]?t|haven['’]?t|didn['’]?t|won['’]?t|unless|n['’]t) (?:\w+ ){0,4}(?:done|complete[d]?|finish(?:ed)?|succeed(?:ed)?|successful(?:ly)?|work(?:ing|s)?|resolved|pass(?:ed)?|run|be|able)\b|失败|未(?:能|完成|成功|通过|解决|实现|全部)|没有?(?:全部|能|能够|成功)?(?:完成|成功|通过|解决|实现|做完)|尚未|还没|无法|不能|不成功|完成不了|部分完成|基本完成|接近完成|即将|快(?:要)?完成|进行中|报错|卡住|放弃/iu
/** Phrases about the future, or about a part of the work. */
const HEDGED =
  /\b(?:what|except|apart from|almost|nearly|mostly|will|would|should|could|might|may|must|to be|once|when|if|until|after|before|needs?|plan(?:ned)?|try|trying|hope|expect(?:ed)?|partly|\d{1,2} ?%|percent|\d+ of \d+|\d+\/\d+)\b|如果|一旦|等到?|完成(?:后|之后|前|度|率|时)|待|将|需要|应该|预计|计划|希望|[1-9]?\d ?%/iu
const NOTHING_LEFT = /\b(?:100 ?%|(\d+)(?: of |\/)\1)(?!\d)/giu

/** A heading such as `## What was done` does not say that anything was done. */
const HEADING = /^ *#{1,6} .*$/gmu
const CLAUSES_MAX = 2_000

export function saysDone(text: string): boolean {
  const clauses = text
    .replaceAll(HEADING, '')
    .replaceAll(HARMLESS, ' ')
    .replaceAll(NOTHING_LEFT, ' ')
    .split(CLAUSE, CLAUSES_MAX)
  return (
    clauses.some((clause) => DONE.test(clause.trim()) && !HEDGED.test(clause)) &&
    !clauses.some((clause) => OPPOSITE.test(clause))
  )
}
