/** Recognizes hello, thanks and a call for help that stand alone, and answers them with goals that work (U63). */
import type { Locale } from '../../../core/terms/locale.ts'

type Greeting = 'hello' | 'help' | 'thanks' | 'bye'

const EN: [Greeting, RegExp][] = [
  [
    'hello',
    /^(?:hi+|hello|hey+|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|nice to meet you|how are you(?: doing)?(?: today)?|how do you do|how(?: i)?s it going|what ?s up|are you there|anyone there|is anyone there|anybody there)\b/iu,
  ],
  [
    'help',
    /^(?:(?:please )?(?:help(?: me| please| us)*)|(?:can|could|would|will) you (?:please )?help(?: me| us)?(?: please)?|i need (?:some |your )?help|what (?:else )?(?:can|could|do) you do(?: for (?:me|us)| here)?|what are you able to do|what are your (?:features|capabilities|commands|skills)|who are you|what are you|what is this|how do(?:es)? (?:this|it|you) work|how (?:do|can|should) i (?:use|start with) (?:this|it|you)|how to use (?:this|it|you)|what (?:can|should|may|do) i (?:ask|say|type|do|write)(?: you)?(?: here)?|show (?:me )?(?:some )?(?:help|examples?)|(?:give|tell) me (?:some |an )?(?:help|examples?)|examples?|usage|manual|get started|getting started)\b/iu,
  ],
  [
    'thanks',
    /^(?:(?:many |thousand )?thanks(?: (?:a lot|so much|very much|again|for (?:your|the|all your) (?:help|work|time)|for everything))?|thank (?:you|u)(?: (?:very much|so much|a lot|again|all|for (?:your|the|all your) (?:help|work|time)|for everything))*|thx|tysm|ty|cheers|much appreciated|i appreciate it|well done|good (?:job|work)|great (?:job|work)|that was (?:helpful|great))\b/iu,
  ],
  [
    'bye',
    /^(?:good ?bye|bye+|see you(?: later| soon| tomorrow)?|good ?night|have a (?:nice|good|great) (?:day|evening|weekend))\b/iu,
  ],
]
const EN_FILLER =
  /^(?:there|all|everyone|everybody|team|folks|again|my friend|friend|bot|robot|agent|assistant|world|please|and|so|ok|okay|great|oh|well|today)\b/iu
const ZH: [Greeting, RegExp][] = [
  [
    'hello',
    /^(?:你好吗?|您好|大家好|早上好|上午好|中午好|下午好|晚上好|早安|早|哈[喽啰罗]|嗨|嘿|[你您]?在[吗么]|最近怎么样|很高兴认识你)/u,
  ],
  [
    'help',
    /^(?:请?[你您]?(?:能|可以)?(?:帮助|帮帮|帮忙|帮)(?:一下)?我?(?:一下)?|求助|救命|[你您](?:都|还)?(?:能|会|可以|能够)(?:帮我|为我)?(?:做|干)?(?:些|点)?(?:什么|啥|哪些事情?)|[你您]?(?:都)?有(?:什么|哪些)功能|[你您]是(?:谁|什么|干什么的|做什么的)|[你您]叫什么(?:名字)?|这是什么|(?:怎么|怎样|如何)(?:使)?用(?:你|这个|它)?|(?:使用|操作)(?:说明|帮助|方法|指南)|给(?:我)?(?:几个|一些|个)例子|示例|例子|说明书?)/u,
  ],
  [
    'thanks',
    /^(?:谢谢(?:[你您]们?|大家)?(?:的(?:帮助|帮忙))?|多谢|(?:非常|十分|太)?感谢(?:[你您]们?)?(?:的(?:帮助|帮忙))?|谢了|谢啦|辛苦(?:了|[你您]了)?|做得好|太好了|太棒了|真棒)/u,
  ],
  ['bye', /^(?:再见|拜拜|回见|晚安|明天见|回头见)/u],
]
const ZH_FILLER = /^(?:[啊呀哦吧了啦呢吗么哈嘛]|朋友|助手|机器人|请问|好的?|嗯)/u
const SIGNS = /^[^\p{L}\p{N}]+/u

/** A longer text is no greeting. */
const CHARS_MAX = 80
const ORDER: readonly Greeting[] = ['help', 'thanks', 'hello', 'bye']

/** The greeting that a text is made of, and nothing else; null: it has something else to read. A call for help counts most. */
export function greetingOf(text: string): Greeting | null {
  if (text.length > CHARS_MAX) return null
  const found = new Set<Greeting>()
  let rest = plain(text)
  while (rest !== '') {
    const hit = [...EN, ...ZH].find(([, pattern]) => pattern.test(rest))
    const filler = [EN_FILLER, ZH_FILLER].find((pattern) => pattern.test(rest))
    const pattern = hit?.[1] ?? (found.size > 0 ? filler : undefined)
    if (pattern === undefined) return null
    if (hit) found.add(hit[0])
    rest = plain(rest.replace(pattern, ''))
  }
  return ORDER.find((greeting) => found.has(greeting)) ?? null
}
/** Apostrophes are left out (`what's up`), and signs and emoji at the beginning. */
const plain = (text: string) => text.replace(/[‘’']/gu, '').replace(/\s+/gu, ' ').replace(SIGNS, '').trim()

/** Goals that the rules work off without a question in every mode with todos and events. */
export const EXAMPLES: Record<Locale, readonly [string, string, string]> = {
  en: [
    'Buy milk tomorrow',
    'Lunch with Ann on Friday at noon for 45 minutes',
    'Remind me to water the plants tomorrow at 9am',
  ],
  zh: ['明天买牛奶', '周五中午和小王吃午饭45分钟', '明天上午九点提醒我浇花'],
}
const FRIENDLY: Record<Locale, Record<Greeting, string>> = {
  en: {
    hello:
      'Hello! I am the built-in rules, which answer while no OPENAI_API_KEY is set, and I gladly keep your todos and your calendar and search for you.',
    help: 'Gladly: I am the built-in rules, which answer while no OPENAI_API_KEY is set, and I keep todos and a calendar and search, in English and Chinese.',
    thanks: 'You are welcome!',
    bye: 'Goodbye, until the next goal!',
  },
  zh: {
    hello: '您好！我是内置的规则，在没有设置 OPENAI_API_KEY 时由我回答，乐意为您记待办、排日程和搜索。',
    help: '很乐意：我是内置的规则，在没有设置 OPENAI_API_KEY 时由我回答，可以记待办、排日程和搜索，中英文都可以。',
    thanks: '不客气！',
    bye: '再见，期待您的下一个目标！',
  },
}
const SUCH_AS: Record<Locale, string> = { en: 'Goals that you can send as they are:', zh: '下面的目标可以直接发送：' }

/** One friendly sentence and goals to try. */
export const greetingText = (
  greeting: Greeting,
  locale: Locale,
  friendly: string = FRIENDLY[locale][greeting],
  examples: readonly string[] = EXAMPLES[locale],
): string => [friendly, SUCH_AS[locale], ...examples.map((goal) => `- ${goal}`)].join('\n')

/** Goals that the rules work off over any table with dates, groups and numbers. */
export const DATA_EXAMPLES: Record<Locale, readonly [string, string, string]> = {
  en: ['Analyse the trend over time', 'Compare the groups', 'Show how the values are distributed'],
  zh: ['分析随时间的变化趋势', '对比各个分组', '展示数值的分布'],
}
const DATA_FRIENDLY: Record<Locale, (thanks: boolean) => string> = {
  en: (thanks) =>
    `${thanks ? 'You are welcome' : 'Hello'}! I am the built-in rules, which answer while no OPENAI_API_KEY is set, and in this mode I gladly analyse a table, such as a sales.csv that you put into the task.`,
  zh: (thanks) =>
    `${thanks ? '不客气' : '您好'}！我是内置的规则，在没有设置 OPENAI_API_KEY 时由我回答；在此模式下我乐意为您分析表格，例如您放入任务的 sales.csv。`,
}

/** The same for mode autonomous, whose goals are analyses of a table. */
export const dataGreetingText = (greeting: Greeting, locale: Locale): string =>
  greetingText(greeting, locale, DATA_FRIENDLY[locale](greeting === 'thanks'), DATA_EXAMPLES[locale])
