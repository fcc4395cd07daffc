/** The input of `run_code` as models write it: JSON, the bare code, or either in a Markdown fence; and which language it is in. */
import { fileName } from '../../core/terms/files/files.ts'
import { sheetIn } from '../choose-dataset.ts'

export type Language = 'javascript' | 'python'
export interface CodeInput {
  code: string
  language: Language
  /** null: none was named. */
  dataset: string | null
  /** By name, or by place from 0 on. */
  sheet: string | number | null
}
export type Flaw = 'no_code' | 'no_json' | 'language' | 'dataset' | 'sheet'

const CODE_MEMBERS = ['code', 'script', 'source', 'javascript', 'js', 'python', 'program', 'input'] as const
const DATASET_MEMBERS = ['dataset', 'dataset_name', 'file', 'filename', 'file_name', 'path'] as const
const SHEET_MEMBERS = ['sheet_name', 'sheet'] as const

type Fields = ReadonlyMap<string, unknown>

export function codeInputOf(input: string): { ok: true; value: CodeInput } | { ok: false; flaw: Flaw } {
  const fields = fieldsOf(input)
  if (fields === null) return { ok: false, flaw: 'no_json' }
  const { code, tag } = unfenced(textIn(fields, CODE_MEMBERS) ?? '')
  if (code.trim() === '') return { ok: false, flaw: 'no_code' }
  const said = textIn(fields, ['language', 'lang']) ?? tag
  const language = said === '' ? languageOf(fields, code) : LANGUAGES[said.toLowerCase()]
  if (language === undefined) return { ok: false, flaw: 'language' }
  const named = textIn(fields, DATASET_MEMBERS)
  const dataset = named === null ? null : fileName(named)
  if (named !== null && dataset === null) return { ok: false, flaw: 'dataset' }
  const sheet = sheetIn(SHEET_MEMBERS.map((member) => fields.get(member)).find((value) => sheetIn(value) !== null))
  if (sheet === undefined) return { ok: false, flaw: 'sheet' }
  return { ok: true, value: { code, language, dataset, sheet } }
}

/** null: it was meant as JSON and is none, as when its line breaks are not escaped. */
function fieldsOf(input: string): Fields | null {
  const value = parsed(input) ?? parsed(unfenced(input).code)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value))
  if (typeof value === 'string') return new Map([['code', value]])
  return /^\s*\{\s*"(?:code|script|source|description|language|dataset)"\s*:/.test(input)
    ? null
    : new Map([['code', input]])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Numbers count as texts and lines as a text; what is blank was not given. */
function textIn(fields: Fields, members: readonly string[]): string | null {
  for (const member of members) {
    const value = fields.get(member)
    const text = Array.isArray(value) ? value.join('\n') : typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return null
}

const FENCE = /^[^\S\n]*```[^\S\n]*([\w+#.-]*)/
const FENCE_END = /^[^\S\n]*```[^\S\n]*$/

interface Block {
  /** The index of its opening fence in the text. */
  index: number
  tag: string
  code: string
}

/** The blocks that are closed. One pass over the lines: an opening fence without an end must not be searched for again. */
function blocksIn(text: string): Block[] {
  const blocks: Block[] = []
  let open: { index: number; inside: number; tag: string } | null = null
  let at = 0
  for (const line of text.split('\n')) {
    const end = at + line.length + 1
    if (open !== null && FENCE_END.test(line)) {
      blocks.push({ index: open.index, tag: open.tag, code: text.slice(open.inside, at) })
      open = null
    } else if (open === null) {
      const [fence, tag = ''] = FENCE.exec(line) ?? []
      if (fence !== undefined) open = { index: at, inside: end, tag }
    }
    at = end
  }
  return blocks
}

/** What stands in the only fence, and what that calls its language; a text without one is the code itself. */
function unfenced(text: string): { code: string; tag: string } {
  const [only, ...others] = blocksIn(text)
  if (only === undefined || others.length > 0) return { code: text, tag: '' }
  const { tag, code } = only
  // A fence inside a template literal is part of the code.
  const around = text.slice(0, only.index)
  if (/[`=;(]\s*$/.test(around)) return { code: text, tag: '' }
  return { code, tag: tag.toLowerCase() === 'json' ? '' : tag }
}

const LANGUAGES: Partial<Record<string, Language>> = {
  javascript: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  node: 'javascript',
  nodejs: 'javascript',
  ecmascript: 'javascript',
  typescript: 'javascript',
  ts: 'javascript',
  python: 'python',
  python3: 'python',
  py: 'python',
}

/** Whether a line has a mark. Lines are looked at one by one: across lines, blank ones would be read again from each of them. */
type Mark = (line: string) => boolean
const matches =
  (pattern: RegExp): Mark =>
  (line) =>
    pattern.test(line)

const BLOCK_OPENS = /:\s*(?:#|$)/
const DEFINED = /^\s*(?:async\s+)?def\s+\w+\s*\(/
const RETURNS = /\)\s*(?:->[^)]*)?:\s*(?:#|$)/
const BRANCHES = /^\s*(?:for\s[^(].*\sin\s|(?:if|elif|while|with)\s|except)/
const PRINTS_TEXT = /\bprint\(\s*["']/

/** `print("%d rows" % (count))` */
function printsFormatted(line: string): boolean {
  const printed = PRINTS_TEXT.exec(line)
  return printed !== null && /%\s*\(/.test(line.slice(printed.index + printed[0].length))
}

/** What only Python has. */
const PYTHON: readonly Mark[] = [
  matches(/^\s*import\s+\w[\w.]*(?:\s+as\s+\w+)?(?:\s*,\s*\w[\w.]*(?:\s+as\s+\w+)?)*\s*(?:#|$)/),
  matches(/^\s*from\s+[\w.]+\s+import\s+[\w*(]/),
  (line) => DEFINED.test(line) && RETURNS.test(line),
  matches(/^\s*class\s+\w+\s*(?:\([^)]*\))?:\s*(?:#|$)/),
  (line) => (BRANCHES.test(line) && BLOCK_OPENS.test(line)) || /^\s*(?:try|else|finally)\s*:\s*(?:#|$)/.test(line),
  matches(/^\s*#(?!\w+\s*[;=(])/),
  (line) => /\bprint\(\s*f["']/.test(line) || printsFormatted(line),
  matches(/\b(?:None|True|False)\b(?=\s*[),\]:]|\s*$)/),
  matches(/\[[^[\]]*\sfor\s+\w+(?:\s*,\s*\w+)*\s+in\s/),
  matches(/^\s*(?:df|pd|np|plt)\s*[.[=]/),
]
/** What only JavaScript has. */
const JAVASCRIPT: readonly Mark[] = [
  matches(/^\s*(?:const|let|var)\s+[\w${[]/),
  matches(/=>/),
  matches(/\bfunction(?:\s+\w+|\s*\*(?:\s*\w+)?)?\s*\(/),
  matches(/^\s*\/\//),
  matches(/\bconsole\.\w+\(/),
  matches(/;\s*$/),
  matches(/\bchart\.\w+\(\{/),
  matches(/\bdata\.(?:groupBy|byPeriod|values|numbers|rows)\(/),
]

function languageOf(fields: Fields, code: string): Language {
  if (
    typeof fields.get('python') === 'string' &&
    textIn(fields, ['code', 'script', 'source', 'javascript', 'js']) === null
  )
    return 'python'
  // What stands in a template literal is a text.
  const bare = code.replace(/`[^`]*`/g, '``')
  const lines = bare.split(/[\n\r\u2028\u2029]/).filter((line) => line.trim() !== '')
  const python = PYTHON.filter((mark) => lines.some(mark)).length
  const javascript = JAVASCRIPT.filter((mark) => lines.some(mark)).length
  return python > javascript ? 'python' : 'javascript'
}
