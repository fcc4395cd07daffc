/** Reads the headings of a report: their level, and the part they start (S2-13), by any of its names. */
import type { Report } from '../core/terms/delegation.ts'

export type Section = keyof Pick<Report, 'results' | 'pitfalls' | 'next_steps'>

/** The first name of each part is the one that is written. */
const NAMES: Record<Section, readonly [string, ...string[]]> = {
  results: ['核心成果', 'results', 'core results', '成果'],
  pitfalls: ['填坑记录', 'pitfalls', '踩坑记录', 'issues'],
  next_steps: ['下一步建议', 'next steps', '下一步'],
}
export const SECTIONS: readonly Section[] = ['results', 'pitfalls', 'next_steps']
export const headingLine = (section: Section): string => `## ${NAMES[section][0]}`
const NAMED_SECTIONS = SECTIONS.flatMap((section) => NAMES[section].map((name) => [name, section] as const))

interface Heading {
  /** 1 to 6; a bold line has a lower rank than all of them. */
  level: number
  section: Section | null
}
export const BOLD_LEVEL = 7

const HASHES = /^ {0,3}(#{1,6})(?!#)(.*)$/s
const BOLD = /^(\*\*|__)([^*_]+)\1[ \t]*[:：]?$/
/** No name of a section is longer, even with the text around it. */
const TITLE_CHARS_MAX = 80

export function headingOf(line: string): Heading | null {
  const [, hashes, rest = ''] = HASHES.exec(line) ?? []
  if (hashes === undefined) return boldHeading(line)
  const section = sectionNamed(rest)
  // Without a space it may be `#tag` or `#1`, but people do write `##核心成果`.
  return section === null && !/^(?:\s|$)/.test(rest) ? null : { level: hashes.length, section }
}

function boldHeading(line: string): Heading | null {
  if (line.length > TITLE_CHARS_MAX) return null
  const [, , title] = BOLD.exec(line.trim()) ?? []
  return title === undefined ? null : { level: BOLD_LEVEL, section: sectionNamed(title) }
}

/**
 * The section whose name the title begins with, as whole words: `4. 填坑记录与风险预警 (Pitfalls & Lessons)` is the pitfalls. Emphasis, numbers,
 * emoji and a translation in parentheses do not count. Where the title itself has no name, the translation may have one.
 */
function sectionNamed(title: string): Section | null {
  if (title === '' || title.length > TITLE_CHARS_MAX) return null
  const plain = title.replace(/[*_`\s]+/g, ' ')
  const [, name = plain, translation = ''] = /^([^(（]*)[(（]([^()（）]*)[)）][ #:：]*$/.exec(plain) ?? []
  return sectionAt(name) ?? sectionAt(translation)
}

function sectionAt(title: string): Section | null {
  const name = title
    .replace(/^ ?[一二三四五六七八九十]+[、.．]/, '')
    .replace(/^\P{L}+/u, '')
    .toLowerCase()
  return NAMED_SECTIONS.find(([known]) => name.startsWith(known) && isWordEnd(name, known.length))?.[1] ?? null
}

/** Chinese has no spaces between words, so a Chinese name may go on. */
const isWordEnd = (text: string, at: number): boolean =>
  !/[a-z]/.test(text[at - 1] ?? '') || !/[\p{L}\p{N}-]/u.test(text[at] ?? '')
