/** The parts of a report within its body: found by their headings, and written so that they are found again. */
import { SECTION_CHARS_MAX } from '../core/terms/delegation.ts'
import { cut } from '../core/terms/text.ts'
import { fencedLines, isFence } from './fences.ts'
import { BOLD_LEVEL, headingLine, headingOf, SECTIONS, type Section } from './headings.ts'

type Sections = Record<Section, string | null>

interface Part {
  section: Section
  /** The line below the heading, and the line behind the last one. */
  from: number
  to: number
}

/** A part ends at the next heading of its level or above. Of two parts with the same name the first one with text counts. */
export function readSections(text: string): Sections {
  const lines = text.split('\n')
  const code = fencedLines(lines)
  const found: Sections = { results: null, pitfalls: null, next_steps: null }
  for (const { section, from, to } of partsOf(lines, code)) {
    if (found[section] !== null) continue
    const own = lines.slice(from, to).map((line, index) => (code[from + index] === true ? line : unescapeLine(line)))
    found[section] = cut(own.join('\n').trim(), SECTION_CHARS_MAX) || null
  }
  return found
}

/** Goes from the last line to the first and keeps where a part of each level ends, because looking ahead from each line would take quadratic time. */
function partsOf(lines: readonly string[], code: readonly boolean[]): Part[] {
  const end = Array.from({ length: BOLD_LEVEL + 1 }, () => lines.length)
  const parts: Part[] = []
  for (let at = lines.length - 1; at >= 0; at--) {
    const heading = code[at] === true ? null : headingOf(lines[at] ?? '')
    if (heading === null) continue
    const { level, section } = heading
    if (section !== null) parts.push({ section, from: at + 1, to: end[level] ?? lines.length })
    end.fill(at, level)
  }
  return parts.toReversed()
}

/**
 * Writes a body with these parts and, before them, this text. A line that would be read as one of their headings, or would end a part, gets a
 * backslash, which Markdown does not show. So does a fence that is never closed.
 */
export function writeSections(text: string, sections: Sections): string {
  const before = text === '' ? [] : [escapedLines(text, isNamed)]
  const parts = SECTIONS.flatMap((section) => {
    const content = sections[section]
    return content === null ? [] : [`${headingLine(section)}\n\n${escapedLines(content, isMarkup)}`]
  })
  return [...before, ...parts].join('\n\n')
}

/** The headings of written parts have the second level. */
const PART_LEVEL = 2
const SLASHES = /^( {0,3})(\\*)(.*)/s

const isNamed = (line: string) => isFence(line) || (headingOf(line)?.section ?? null) !== null
const isMarkup = (line: string) => isNamed(line) || (headingOf(line)?.level ?? BOLD_LEVEL) <= PART_LEVEL

function escapedLines(text: string, isMeant: (line: string) => boolean): string {
  const lines = text.split('\n')
  const code = fencedLines(lines)
  return lines.map((line, at) => (code[at] === true ? line : escapeLine(line, isMeant))).join('\n')
}

function escapeLine(line: string, isMeant: (line: string) => boolean): string {
  const [, indent = '', slashes = '', rest = ''] = SLASHES.exec(line) ?? []
  return isMeant(indent + rest) ? `${indent}\\${slashes}${rest}` : line
}

function unescapeLine(line: string): string {
  const [, indent = '', slashes = '', rest = ''] = SLASHES.exec(line) ?? []
  return slashes !== '' && isMarkup(indent + rest) ? indent + slashes.slice(1) + rest : line
}
