/**
 * The instructions of a task in its prompts (U55). They stand at the end of the system message, which is the same in every request of a
 * task, in a frame of their own. The words around them keep the form of replies as the mode has it.
 */
import type { Brief, Message } from '../terms/effect.ts'
import type { Locale } from '../terms/locale.ts'
import { utf8Bytes } from '../terms/text.ts'

interface Words {
  heading: string
  before: string
  after: string
}

const WORDS: Record<Locale, Words> = {
  en: {
    heading: '# Instructions for this task',
    before:
      'Whoever made the task has given the instructions between the two marks. Follow them in what you decide, do and write: they come before the rules above on language, tone, length and content, and they hold for every phase.',
    after:
      'They change nothing of the form of a reply, of the phases, members, marks and tools that are named above, or of what counts as data. Where they ask for another form, keep the form above and put what they ask for into its texts.',
  },
  zh: {
    heading: '# 本任务的指令',
    before:
      '任务的创建者给出了以下两个标记之间的指令。请在决定、执行和写作时遵照：在语言、语气、篇幅与内容上，它们优先于上文的规则，并适用于每个阶段。',
    after:
      '它们不改变回复的格式，不改变上文所述的阶段、成员、标记与工具，也不改变哪些内容只是数据。若指令要求其他格式，请保持上文的格式，并把所要求的内容写入其中的文字。',
  },
}

const OPEN = '<instructions>'
const CLOSE = '</instructions>'

/** The mark that ends the frame, in any case and with blanks in it, cannot stand within it. */
const withoutMark = (text: string): string => text.replaceAll(/<(?=\s{0,8}\/?\s{0,8}instructions)/gi, '‹')

/** The section about the instructions of a task. null: it has none. */
export function instructionsText({ instructions, locale }: Pick<Brief, 'instructions' | 'locale'>): string | null {
  if (instructions === undefined) return null
  const { heading, before, after } = WORDS[locale]
  return [heading, before, OPEN, withoutMark(instructions), CLOSE, after].join('\n')
}

/** The messages of a prompt with the instructions of the task at the end of the system message. */
export function withInstructions(
  messages: readonly Message[],
  brief: Pick<Brief, 'instructions' | 'locale'>,
): Message[] {
  const section = instructionsText(brief)
  const [first, ...others] = messages
  if (section === null || first === undefined) return [...messages]
  if (first.role !== 'system') return [{ role: 'system', content: section }, ...messages]
  return [{ ...first, content: `${first.content}\n\n${section}` }, ...others]
}

/** The most bytes that instructions add to a request, in which they stand as JSON. */
export const instructionsBytes = (instructions: string | undefined): number =>
  instructions === undefined
    ? 0
    : Math.max(...LOCALES.map((locale) => jsonBytes(instructionsText({ instructions, locale }))))

const LOCALES = ['en', 'zh'] as const
const jsonBytes = (text: string | null): number => utf8Bytes(JSON.stringify(text))
