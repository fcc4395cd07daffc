/** Reads the input of `run_code` as models write it: JSON, the bare code, or either in a Markdown fence; and tells its language. */
import type { Attempt } from '../../core/terms/attempt.ts'
import { fileName } from '../../core/terms/files/files.ts'
import { jsonOrNull } from '../../core/terms/values/parse-json.ts'
import { sheetIn } from '../choose-dataset.ts'

type CodeLanguage = 'javascript' | 'python'
export interface CodeInput {
  code: string
  language: CodeLanguage
  /** null: the input names none. */
  dataset: string | null
  /** A name, or a place from 0 on. */
  sheet: string | number | null
}
type CodeInputError = 'no_code' | 'no_json' | 'language' | 'dataset' | 'sheet'

const CODE_MEMBERS = ['code', 'script', 'source', 'javascript', 'js', 'python', 'program', 'input'] as const
const DATASET_MEMBERS = ['dataset', 'dataset_name', 'file', 'filename', 'file_name', 'path'] as const
const SHEET_MEMBERS = ['sheet_name', 'sheet'] as const

type Fields = ReadonlyMap<string, unknown>

export function readCodeInput(input: string): Attempt<CodeInput, CodeInputError> {
  const fields = fieldsOf(input)
  if (fields === null) return { ok: false, error: 'no_json' }
  const { code, tag } = withoutFence(textIn(fields, CODE_MEMBERS) ?? '')
  if (code.trim() === '') return { ok: false, error: 'no_code' }
  const name = textIn(fields, ['language', 'lang']) ?? tag
  const language = name === '' ? languageOf(fields, code) : LANGUAGES[name.toLowerCase()]
  if (language === undefined) return { ok: false, error: 'language' }
  const given = textIn(fields, DATASET_MEMBERS)
  const dataset = given === null ? null : fileName(given)
  if (given !== null && dataset === null) return { ok: false, error: 'dataset' }
  const sheet = sheetIn(SHEET_MEMBERS.map((member) => fields.get(member)).find((value) => sheetIn(value) !== null))
  if (sheet === undefined) return { ok: false, error: 'sheet' }
  return { ok: true, value: { code, language, dataset, sheet } }
}

/** null: the input was meant as JSON and is not, for example because its line breaks are not escaped. */
function fieldsOf(input: string): Fields | null {
  const value = jsonOrNull(input) ?? jsonOrNull(withoutFence(input).code)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value))
  if (typeof value === 'string') return new Map([['code', value]])
  return /^\s*\{\s*"(?:code|script|source|description|language|dataset)"\s*:/.test(input)
    ? null
    : new Map([['code', input]])
}

/** A number counts as a text, and an array as the lines of one; a blank member counts as missing. */
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

/** The closed blocks. This is one pass over the lines, because searching an end for each open fence would take quadratic time. */
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

/** The content and the language of the only fence; a text without a fence, or with several, is the code itself. */
function withoutFence(text: string): { code: string; tag: string } {
  const [only, ...others] = blocksIn(text)
  if (only === undefined || others.length > 0) return { code: text, tag: '' }
  const { tag, code } = only
  // A fence inside a template literal is part of the code.
  const around = text.slice(0, only.index)
  if (/[`=;(]\s*$/.test(around)) return { code: text, tag: '' }
  return { code, tag: tag.toLowerCase() === 'json' ? '' : tag }
}

const LANGUAGES: Partial<Record<string, CodeLanguage>> = {
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

/** Whether a line has a mark. Each pattern sees one line, because patterns across lines would read blank lines again and again. */
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

/** Marks that only Python has. */
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
/** Marks that only JavaScript has. */
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

function languageOf(fields: Fields, code: string): CodeLanguage {
  if (
    typeof fields.get('python') === 'string' &&
    textIn(fields, ['code', 'script', 'source', 'javascript', 'js']) === null
  )
    return 'python'
  // The content of a template literal is text, so it says nothing about the language.
  const bare = code.replace(/`[^`]*`/g, '``')
  const lines = bare.split(/[\n\r\u2028\u2029]/).filter((line) => line.trim() !== '')
  const python = PYTHON.filter((mark) => lines.some(mark)).length
  const javascript = JAVASCRIPT.filter((mark) => lines.some(mark)).length
  return python > javascript ? 'python' : 'javascript'
}
