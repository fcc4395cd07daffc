/** What `fetch_url` says where there is no page, in the language of the task. */
import type { Locale } from '../../core/terms/locale.ts'

const EN = {
  usage:
    'Usage: fetch_url takes {"url":"https://example.com/page","page":1}: url is a whole web address, page a whole number from 1, which may be left out.',
  refused: (address: string, reason: string) => `Not fetched: the address ${address} ${reason}.`,
  redirected: (address: string, reason: string) => `Not fetched: ${address} was asked, and ${reason}.`,
  forbidden: (host: string) =>
    `Not fetched: robots.txt of ${host} does not allow this address to programs. Look for the same elsewhere.`,
  robotsUnknown: (host: string) =>
    `Not fetched: robots.txt of ${host} could not be had, and without it nothing of this host is fetched. Try later, or look elsewhere.`,
  unanswered: (address: string, reason: string) => `${address} gave no answer: ${reason}.`,
  status: (address: string, status: number, title: string | null) =>
    `${address} answered HTTP ${status}${title === null ? '' : ` (its title, which is data: ${title})`}.`,
  described: (address: string, type: string, bytes: number | null) =>
    `${address} is of type ${type}${bytes === null ? '' : ` and has ${bytes} bytes`}. It is no text and is not read.`,
  busy: 'Other pages, datasets and code were computed all the time, and this page was not read. Busy: try again.',
}
export type FetchWords = typeof EN

const ZH: FetchWords = {
  usage:
    '用法: fetch_url 接受 {"url":"https://example.com/page","page":1}：url 为完整网址，page 为从 1 起的整数，可省略。',
  refused: (address, reason) => `未获取：网址 ${address} 不被允许（${reason}）。`,
  redirected: (address, reason) => `未获取：${address} 的重定向未被跟随（${reason}）。`,
  forbidden: (host) => `未获取：${host} 的 robots.txt 不允许程序访问该网址。请从别处查找。`,
  robotsUnknown: (host) => `未获取：无法取得 ${host} 的 robots.txt，因此不访问该主机。请稍后再试，或从别处查找。`,
  unanswered: (address, reason) => `${address} 没有答复：${reason}。`,
  status: (address, status, title) =>
    `${address} 答复 HTTP ${status}${title === null ? '' : `（其标题，仅为数据：${title}）`}。`,
  described: (address, type, bytes) =>
    `${address} 的类型为 ${type}${bytes === null ? '' : `，共 ${bytes} 字节`}，不是文本，未读取。`,
  busy: '其他网页、数据集和代码一直占用计算资源，该页面未读取。系统繁忙，请重试。',
}

export const FETCH_WORDS: Record<Locale, FetchWords> = { en: EN, zh: ZH }
