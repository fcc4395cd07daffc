/** Reads changes of a plan in both languages, and the steps that they name. */
import { amountOf } from '../time/numbers.ts'

type PlanChange =
  | { kind: 'add'; text: string; at: 'first' | 'last' }
  | { kind: 'drop'; which: string }
  | { kind: 'replace'; which: string; text: string }
  | { kind: 'none' }

const EN_NAME = '(?:the )?(?:steps?|tasks?|items?|no\\.|numbers?)'
const EN_NUMBERS = '#?\\d{1,2}(?:(?:, and |, | and |-| to )#?\\d{1,2}){0,19}'
const EN_WHICH = `((?:the )?(?:first|second|third|fourth|fifth|last) (?:step|task|item|one)|${EN_NAME} ?${EN_NUMBERS}|${EN_NAME} .{1,200})`
const ZH_NUMBER = '(?:\\d{1,2}|[一二三四五六七八九十]{1,3})'
const ZH_WHICH = `(最后一?[步个项]|第 ?${ZH_NUMBER}(?: ?[、,，和到至-] ?第? ?${ZH_NUMBER}){0,19} ?[步个项条]?|步骤 ?${ZH_NUMBER})(?:个?步骤|任务)?`
const LEAD = '^(?:(?:and|please|ok|oh|then|but)[ ,]+)*'
const ZH_LEAD = '^(?:请|再|麻烦你?|那就?|然后){0,3}'

const NONE =
  /^(?:ok(?:ay)?|yes|fine|good|great|thanks|thank you|continue|go on|proceed|resume|approved?|looks good|好的?|可以|行|继续|谢谢|同意|没问题|是的?)[\s.!。！,，]*$/iu
const FORMS: [RegExp, (groups: string[]) => PlanChange][] = [
  [NONE, () => ({ kind: 'none' })],
  [
    new RegExp(
      `${LEAD}(?:also )?(?:add|insert|append|include) (?:an? |one (?:more )?|another |the )?(?:(?:new|more|further|extra|final|last|first) )?(?:step|task|item)s?( first| at the (?:start|beginning)| before (?:everything|all)[\\w ]{0,20})?(?: at the end| last)? ?(?:[:：,-]|to |that |called |named |for )+ ?(.+)$`,
      'isu',
    ),
    ([first = '', text = '']) => ({ kind: 'add', text, at: first === '' ? 'last' : 'first' }),
  ],
  [
    new RegExp(`${LEAD}(?:drop|remove|delete|skip|cancel|omit|leave out|take out) ${EN_WHICH}$`, 'isu'),
    ([which = '']) => ({ kind: 'drop', which }),
  ],
  [
    new RegExp(
      `${LEAD}(?:replace|change|turn) (${EN_NAME} ?#?\\d{1,2}|the (?:first|second|third|last) (?:step|task|one)) (?:with|by|to|into)[: ]+(.+)$`,
      'isu',
    ),
    ([which = '', text = '']) => ({ kind: 'replace', which, text }),
  ],
  [
    new RegExp(`${LEAD}(?:also|additionally|in addition|furthermore|plus)[ ,:]+(?:please )?(.+)$`, 'isu'),
    ([text = '']) => ({ kind: 'add', text, at: 'last' }),
  ],
  [
    new RegExp(
      `${ZH_LEAD}(?:在最?(前面|开头|后面|末尾|最后)|最后)?(?:增加|添加|加上?|新增|插入|补充|追加)(?:(?:一|1) ?[个步条项]|个)?(?:新的?)?(?:步骤|步|任务)?[：:，, ]+(.+)$`,
      'su',
    ),
    ([where = '', text = '']) => ({ kind: 'add', text, at: /前|开头/u.test(where) ? 'first' : 'last' }),
  ],
  [
    new RegExp(`${ZH_LEAD}(?:增加|添加|加|新增|插入)(?:一|1) ?(?:步|[个条项]步骤|[个条项]任务)(.+)$`, 'su'),
    ([text = '']) => ({ kind: 'add', text, at: 'last' }),
  ],
  [
    new RegExp(`${ZH_LEAD}(?:删除|删掉|删去|去掉|移除|取消|跳过|不要|不做)${ZH_WHICH}[了吧]?$`, 'su'),
    ([which = '']) => ({ kind: 'drop', which }),
  ],
  [
    new RegExp(`${ZH_LEAD}(?:把|将)?${ZH_WHICH}(?:改成|改为|换成|替换为|替换成)[：:，, ]*(.+)$`, 'su'),
    ([which = '', text = '']) => ({ kind: 'replace', which, text }),
  ],
  [
    new RegExp(
      `${ZH_LEAD}(?:(?:另外|此外|同时|而且)[，, ]*)?(?:我们?|你)?(?:还要|还需要?|还得|还请|也要|也需要|另外|此外|顺便)[，,：: ]*(.+)$`,
      'su',
    ),
    ([text = '']) => ({ kind: 'add', text, at: 'last' }),
  ],
]
const PIECE_CHARS = 2_000

/** null: the text has none of the forms. */
export function readChange(text: string): PlanChange | null {
  if (text.length > PIECE_CHARS) return null
  for (const [form, change] of FORMS) {
    const found = form.exec(text)
    if (found !== null) return change(found.slice(1))
  }
  return null
}

const ORDINALS = [/\bfirst\b/iu, /\bsecond\b/iu, /\bthird\b/iu, /\bfourth\b/iu, /\bfifth\b/iu]
export const ordinalIn = (which: string): number[] =>
  ORDINALS.flatMap((word, index) => (word.test(which) ? [index + 1] : []))

const NUMBERS = new RegExp(ZH_NUMBER, 'gu')
const NAME_FIRST = new RegExp(`^${EN_NAME} `, 'iu')
const NUMBERED = new RegExp(`^(?:${EN_NAME} ?${EN_NUMBERS}$|第|步骤)`, 'iu')
export function numbersIn(which: string): number[] {
  if (!NUMBERED.test(which)) return []
  const all = [...which.matchAll(NUMBERS)].map(([word]) => amountOf(word))
  const [from, to] = all
  const isRange = all.length === 2 && from !== undefined && to !== undefined && /-| to |[到至]/iu.test(which)
  return isRange && to >= from ? Array.from({ length: to - from + 1 }, (_, index) => from + index) : all
}

/** The words for a step without the word for a step itself. */
export const wordsIn = (which: string): string => which.replace(NAME_FIRST, '')
