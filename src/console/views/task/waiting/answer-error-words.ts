/** The words for the errors of an answer. */
import { useWords } from '../../../state/preferences.tsx'
import type { AnswerError } from './answer-text.ts'

const WORDS = {
  en: {
    missing: 'This is needed.',
    not_a_number: 'This has to be a number.',
    not_whole: 'This has to be a whole number.',
    not_json: 'This is not JSON.',
    too_low: (least: number) => `It has to be ${least} at least.`,
    too_high: (most: number) => `It may be ${most} at most.`,
    too_short: (least: number) => `It has to have ${least} characters at least.`,
    too_long: (most: number) => `It may have ${most} characters at most.`,
    too_few: (least: number) => `There have to be ${least} at least.`,
    too_many: (most: number) => `There may be ${most} at most.`,
  },
  zh: {
    missing: '此项必填。',
    not_a_number: '请填写数字。',
    not_whole: '请填写整数。',
    not_json: '这不是有效的 JSON。',
    too_low: (least: number) => `不能小于 ${least}。`,
    too_high: (most: number) => `不能大于 ${most}。`,
    too_short: (least: number) => `至少 ${least} 个字符。`,
    too_long: (most: number) => `最多 ${most} 个字符。`,
    too_few: (least: number) => `至少 ${least} 个。`,
    too_many: (most: number) => `最多 ${most} 个。`,
  },
}

export function useAnswerErrorWords(): (error: AnswerError) => string {
  const words = useWords(WORDS)
  return (error) => {
    if ('least' in error) return words[error.code](error.least)
    if ('most' in error) return words[error.code](error.most)
    return words[error.code]
  }
}
