/** The parts of a report within its body: found by their headings, and written so that they are found again. */
import { SECTION_CHARS_MAX } from '../core/terms/delegation.ts'
import { cut } from '../core/terms/text.ts'
import { fencedLines, isFence } from './fences.ts'
import { BOLD_LEVEL, headingLine, headingOf, SECTIONS, type Section } from './headings.ts'

type Sections = Record<Section, string | null>

interface Part {
  section: Section
  /** The line below the heading, and the one behind the last. */
  from: number
  to: number
}

/** A part ends at the next heading of its level or above. Of two with the same name the first one counts that says something. */
export function readSections(text: string): Sections {
  const lines = text.split('\n')
  const code = fencedLines(lines)
  const found: Sections = { results: null, pitfalls: null, next_steps: null }
  for (const { section, from, to } of partsOf(lines, code)) {
    if (found[section] !== null) continue
    const own = lines.slice(from, to).map((line, index) => (code[from + index] === true ? line : unescaped(line)))
    found[section] = cut(own.join('\n').trim(), SECTION_CHARS_MAX) || null
  }
  return found
}

/** From the last line to the first, keeping where a part of each level ends: looking ahead from each would take the square of them. */
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
 * A body that has these parts and, before them, this text. A line of it that would be read as one of their headings, and within a part one that
 * would end it, gets a backslash, which Markdown does not show either; so does a fence that is never closed.
 */
export function writeSections(text: string, sections: Sections): string {
  const before = text === '' ? [] : [escapedLines(text, isNamed)]
  const parts = SECTIONS.flatMap((section) => {
    const content = sections[section]
    return content === null ? [] : [`${headingLine(section)}\n\n${escapedLines(content, isMarkup)}`]
  })
  return [...before, ...parts].join('\n\n')
}

/** Of the parts that are written: their headings have the second level. */
const PART_LEVEL = 2
const SLASHES = /^( {0,3})(\\*)(.*)/s

const isNamed = (line: string) => isFence(line) || (headingOf(line)?.section ?? null) !== null
const isMarkup = (line: string) => isNamed(line) || (headingOf(line)?.level ?? BOLD_LEVEL) <= PART_LEVEL

function escapedLines(text: string, isMeant: (line: string) => boolean): string {
  const lines = text.split('\n')
  const code = fencedLines(lines)
  return lines.map((line, at) => (code[at] === true ? line : escaped(line, isMeant))).join('\n')
}

function escaped(line: string, isMeant: (line: string) => boolean): string {
  const [, indent = '', slashes = '', rest = ''] = SLASHES.exec(line) ?? []
  return isMeant(indent + rest) ? `${indent}\\${slashes}${rest}` : line
}

function unescaped(line: string): string {
  const [, indent = '', slashes = '', rest = ''] = SLASHES.exec(line) ?? []
  return slashes !== '' && isMarkup(indent + rest) ? indent + slashes.slice(1) + rest : line
}
