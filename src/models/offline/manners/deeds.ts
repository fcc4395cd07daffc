/** Recognizes deeds for which there is no tool, so that nothing claims to have done them (U63). */
import type { Locale } from '../../../core/terms/locale.ts'

/** `message`: something would have to be sent, and people expect an agent to do it. The others are errands, which are noted as todos. */
type Deed = 'message' | 'call' | 'buy' | 'pay'

const MAIL = '(?:e-?mails?|mails?|messages?|texts?|sms|dms?|whatsapp|tweets?)\\b'
const DOCUMENT =
  '(?:reports?|invoices?|documents?|files?|photos?|pictures?|links?|slides|minutes|agenda|summary|reminders?|invitations?|invites?|reply|answers?|notes?|updates?|budget|contracts?|offers?|quotes?|cv|drafts?|feedback)\\b'
/** These words are nouns too, so somebody has to stand behind them: `text editor` and `phone bill` are no deeds. */
const SOMEBODY =
  '(?:(?:me|you|him|her|them|us|my|our|his|their|your|the|all|both|every\\w*|some\\w*|to|mum|mom|dad|grandma|grandpa|granny)\\b|\\S{1,60}@|dr\\b|mr\\b|mrs\\b|ms\\b)'
const EN: [Deed, RegExp][] = [
  [
    'message',
    new RegExp(
      [
        `^send (?:\\S{1,30} ){0,4}(?:${MAIL}|${DOCUMENT})`,
        `^(?:write|compose|draft|drop|shoot) (?:(?!an?\\b|the\\b)\\S{1,30} )?(?:an?|the|my|another) (?:\\S{1,30} )?${MAIL}`,
        '^(?:e-?mail|dm|whatsapp|sms|tweet) \\S',
        `^(?:mail|text|message) ${SOMEBODY}`,
        '^forward (?:the|this|that|my|it|all|an?)\\b',
        '^post (?:it |this )?on \\S|^(?:reply|respond) to \\S',
      ].join('|'),
      'iu',
    ),
  ],
  ['message', /^(?:[Mm]ail|[Tt]ext|[Mm]essage) \p{Lu}\p{Ll}/u],
  ['call', /^(?:[Pp]hone|[Rr]ing|[Dd]ial) \p{Lu}\p{Ll}/u],
  ['call', new RegExp(`^(?:call|facetime|skype) \\S|^(?:phone|ring|dial) ${SOMEBODY}`, 'iu')],
  ['buy', /^(?:buy|order(?! of\b)|purchase|get me) \S/iu],
  ['pay', /^(?:pay (?!attention|heed)|(?:transfer|wire) (?:money|\d))\S?/iu],
]
const ZH: [Deed, RegExp][] = [
  [
    'message',
    /^(?:去|要)?(?:(?:给|向)\S{1,12}?)?(?:发|写|回|转发|群发|发送)(?:一?[封条个份])?(?:电子)?(?:邮件|短信|消息|微信|私信|信息|邮箱|推文|微博|朋友圈)|^(?:回复|转发)\S/u,
  ],
  ['call', /^(?:去|要)?(?:(?:给|向)\S{1,12}?)?(?:打|回)(?:一?[个通])?电话|^致电/u],
  ['buy', /^(?:去|要)?(?:购?买|采购|下单|订购)\S/u],
  ['pay', /^(?:去|要)?(?:付|缴|转账|汇款|支付)\S/u],
]

/** A deed stands at the beginning; no more is read. */
const CHARS = 120

/** The deed that a text asks for; null: none of these. */
export function deedOf(text: string): Deed | null {
  const start = text.slice(0, CHARS)
  return [...EN, ...ZH].find(([, pattern]) => pattern.test(start))?.[0] ?? null
}

/** Said behind the todo that stands for an errand. */
export const ONLY_NOTED: Record<Locale, Record<Deed, string>> = {
  en: {
    message: 'It is only noted: I cannot send mail or messages.',
    call: 'It is only noted: I cannot call anyone.',
    buy: 'It is only noted: I cannot buy or order anything.',
    pay: 'It is only noted: I cannot pay anything.',
  },
  zh: {
    message: '这只是记下：我无法发送邮件或消息。',
    call: '这只是记下：我无法打电话。',
    buy: '这只是记下：我无法购买或下单。',
    pay: '这只是记下：我无法付款。',
  },
}
