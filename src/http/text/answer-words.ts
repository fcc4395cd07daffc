/** The texts of the page of an answer link, in each language. */
import type { Locale } from '../../core/terms/locale.ts'

const ENGLISH = {
  question: 'A question for you',
  answer: 'Your answer',
  choose: 'Choose one answer',
  send: 'Send the answer',
  shape: 'The answer must fit this description (JSON Schema):',
  blank: 'Please give an answer.',
  misfit: 'This answer does not fit. Please change it and send it again.',
  recorded: 'Thank you. Your answer is recorded.',
  settled: 'This question is answered.',
  given: 'The answer that was recorded:',
  closed: 'This question is closed. No answer is needed any more.',
  late: 'It was answered before, so what you sent was not taken.',
  expired: 'This link has expired.',
  ask_again: 'Please ask whoever sent it for a new one.',
  unknown: 'This link is not known.',
  cut: 'It may have been cut or changed on its way, or what it belonged to was deleted.',
  later: 'This did not work just now.',
  wait: 'Please try again in a minute.',
  refused: 'This could not be taken.',
}
export type PageWords = Record<keyof typeof ENGLISH, string>

export const PAGE_WORDS: Record<Locale, PageWords> = {
  en: ENGLISH,
  zh: {
    question: '有一个问题请您回答',
    answer: '您的回答',
    choose: '请选择一个答案',
    send: '提交回答',
    shape: '回答须符合以下描述（JSON Schema）：',
    blank: '请填写回答。',
    misfit: '该回答不符合要求，请修改后重新提交。',
    recorded: '谢谢，您的回答已记录。',
    settled: '该问题已有回答。',
    given: '已记录的回答：',
    closed: '该问题已关闭，不再需要回答。',
    late: '此前已有回答，本次提交未被采纳。',
    expired: '该链接已过期。',
    ask_again: '请向发送者索取新的链接。',
    unknown: '找不到该链接。',
    cut: '链接可能在传送中被截断或改动，或其所属内容已被删除。',
    later: '暂时无法处理。',
    wait: '请一分钟后再试。',
    refused: '无法接受该请求。',
  },
}
