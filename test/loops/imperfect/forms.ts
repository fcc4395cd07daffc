/** Imperfect forms of one JSON reply, whatever its members mean. */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { cutReply, type Line } from '../../support/scripted.ts'

/**
 * `understood`: a person sees at once what is meant. `told`: nobody can know it, or a ruling refuses it. `either`: a person would
 * guess it, and so may the reader.
 */
export type Expected = 'understood' | 'told' | 'either'
export interface Form {
  category: string
  name: string
  expected: Expected
  /** null: the form does not exist for this reply. */
  of(reply: object): Line | null
}

const json = (reply: object): string => JSON.stringify(reply)
const form = (category: string, name: string, expected: Expected, of: Form['of']): Form => ({
  category,
  name,
  expected,
  of,
})
const written = (category: string, name: string, expected: Expected, change: (text: string) => string | null): Form =>
  form(category, name, expected, (reply) => {
    const text = change(json(reply))
    return text === json(reply) ? null : text
  })

/** Changes each member on each level. `undefined` drops it. */
function mapMembers(value: unknown, change: (value: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapMembers(one, change))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const changed = change(mapMembers(one, change), name)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}
const members = (
  category: string,
  name: string,
  expected: Expected,
  change: (value: unknown, name: string) => unknown,
) => written(category, name, expected, (text) => JSON.stringify(mapMembers(JSON.parse(text), change)))

/** Members whose value is one of a few words. */
const ENUMS = new Set(['status', 'decision'])
const words = (name: string, expected: Expected, change: (word: string) => string) =>
  members('enum words', name, expected, (value, member) =>
    ENUMS.has(member) && typeof value === 'string' ? change(value) : value,
  )

const FENCES: Form[] = [
  written('fences', 'a fence that names JSON', 'understood', (text) => `\`\`\`json\n${text}\n\`\`\``),
  written('fences', 'a fence without a name', 'understood', (text) => `\`\`\`\n${text}\n\`\`\``),
  written('fences', 'a fence in capitals', 'understood', (text) => `\`\`\`JSON\n${text}\n\`\`\`\n`),
  written('fences', 'a fence of tildes', 'understood', (text) => `~~~json\n${text}\n~~~`),
  written('fences', 'a fence that is never closed', 'understood', (text) => `\`\`\`json\n${text}`),
  written(
    'fences',
    'a fence between sentences',
    'understood',
    (text) => `Here it is:\n\n\`\`\`json\n${text}\n\`\`\`\n\nTell me more.`,
  ),
  written('fences', 'a tag around it', 'understood', (text) => `<json>${text}</json>`),
]

const PROSE: Form[] = [
  written('prose', 'a sentence before it', 'understood', (text) => `Sure! Here is my reply: ${text}`),
  written('prose', 'a sentence behind it', 'understood', (text) => `${text}\n\nI hope that this helps.`),
  written('prose', 'a heading before it', 'understood', (text) => `### Reply\n\n**JSON**\n${text}`),
  written('prose', 'Chinese prose around it', 'understood', (text) => `好的，回复如下：\n${text}\n请查收。`),
  written('prose', 'braces in the prose', 'understood', (text) => `I fill in {these members}: ${text}`),
  written(
    'prose',
    'a name and a type in braces',
    'understood',
    (text) => `{reply} has the form {name: string}.\n${text}`,
  ),
  written('prose', 'an assignment', 'understood', (text) => `const reply = ${text};`),
  written('prose', 'nothing but prose', 'told', () => 'I am not sure what to do here, so let me know.'),
]

const THINKING: Form[] = [
  written(
    'think blocks',
    'a think block before it',
    'understood',
    (text) => `<think>What now? Maybe this.</think>\n${text}`,
  ),
  written(
    'think blocks',
    'a draft in the think block',
    'understood',
    (text) => `<think>Maybe {"status":"no","decision":"no"}?</think>${text}`,
  ),
  written(
    'think blocks',
    'a think block without its beginning',
    'understood',
    (text) => `What now? Maybe this.\n</think>\n${text}`,
  ),
  written('think blocks', 'a block of another name', 'understood', (text) => `<thinking>What now?</thinking>\n${text}`),
]

const SYNTAX: Form[] = [
  written('trailing commas', 'a comma behind the last member', 'understood', (text) => text.replace(/\}$/, ',}')),
  written('trailing commas', 'a comma in each list and object', 'understood', (text) =>
    text.replaceAll(/(["\]}\d]|null|true|false)(?=[\]}])/g, '$1,'),
  ),
  // Other marks within its texts would change them.
  written('smart quotes', 'smart quotes', 'understood', (text) =>
    text.includes('\\"') ? text : text.replaceAll(/"([^"]*)"/g, '“$1”'),
  ),
  written('smart quotes', 'smart quotes around names alone', 'understood', (text) =>
    text.replaceAll(/"([^"]*)":/g, '“$1”:'),
  ),
  written('Chinese signs', 'colons of full width', 'understood', (text) => text.replaceAll('":', '"：')),
  written('Chinese signs', 'commas of full width', 'understood', (text) => text.replaceAll(',"', '，"')),
  written('single quotes', 'single quotes', 'understood', (text) =>
    text.includes('\\"') ? text : text.replaceAll('"', "'"),
  ),
  written('python literals', 'None, True and False', 'understood', (text) =>
    text.replaceAll(':null', ':None').replaceAll(':true', ':True').replaceAll(':false', ':False'),
  ),
  written('python literals', 'a dictionary of Python', 'understood', (text) => {
    const isPython = /:(?:null|true|false)/.test(text) && !text.includes('\\"')
    return isPython
      ? text
          .replaceAll(':null', ': None')
          .replaceAll(':true', ': True')
          .replaceAll(':false', ': False')
          .replaceAll('"', "'")
      : text
  }),
  written('syntax', 'names without quotes', 'understood', (text) => text.replaceAll(/"([a-z_]+)":/g, '$1:')),
  written('syntax', 'a comment', 'understood', (text) => text.replace('{', '{ // my reply\n')),
  written('syntax', 'lines of Windows', 'understood', (text) =>
    JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n'),
  ),
  written('syntax', 'a byte order mark', 'understood', (text) => `\uFEFF${text}`),
  written(
    'syntax',
    'a byte order mark in front of a fence',
    'understood',
    (text) => `\uFEFF\`\`\`json\n${text}\n\`\`\``,
  ),
  written('syntax', 'a missing comma', 'either', (text) => text.replace(',"', ' "')),
  written('syntax', 'a member without its end', 'told', (text) =>
    text.slice(0, -Math.min(9, Math.floor(text.length / 3))),
  ),
  written('syntax', 'a missing last brace', 'either', (text) => text.slice(0, -1)),
  written('syntax', 'one brace too many', 'understood', (text) => `${text}}`),
  written('syntax', 'YAML', 'told', (text) =>
    Object.entries(JSON.parse(text))
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\n'),
  ),
  written('double-encoded', 'the object once more as a text', 'understood', (text) => JSON.stringify(text)),
  written('double-encoded', 'with escaped quotation marks', 'either', (text) => text.replaceAll('"', String.raw`\"`)),
]

const SHAPE: Form[] = [
  form('extra members', 'two more members', 'understood', (reply) => ({ ...reply, confidence: 0.9, notes: ['none'] })),
  members('missing members', 'no member that is null', 'understood', (value) => (value === null ? undefined : value)),
  members('missing members', 'no list that is empty', 'understood', (value) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  ),
  members('missing members', 'empty texts in place of null', 'understood', (value) => (value === null ? '' : value)),
  members('missing members', 'null in place of empty lists', 'understood', (value) =>
    Array.isArray(value) && value.length === 0 ? null : value,
  ),
  words('words in capitals', 'understood', (word) => word.toUpperCase()),
  words('a capital and blanks', 'understood', (word) => ` ${word.slice(0, 1).toUpperCase()}${word.slice(1)} `),
  words('a dot behind the word', 'understood', (word) => `${word}.`),
  words('a dash in place of the underscore', 'either', (word) => word.replace('_', '-')),
  words('a word that does not exist', 'told', () => 'perhaps'),
  members('numbers as texts', 'truth as texts', 'understood', (value) =>
    typeof value === 'boolean' ? String(value) : value,
  ),
  form('one in a list', 'a list of the one object', 'told', (reply) => [reply]),
  written('other', 'wrapped in one more object', 'either', (text) => `{"reply":${text}}`),
  written('other', 'capitals in the names of members', 'either', (text) =>
    text.replaceAll(/"([a-z])([a-z_]+)":/g, (_all, first: string, rest: string) => `"${first.toUpperCase()}${rest}":`),
  ),
  written('other', 'a number', 'told', () => '42'),
  written('other', 'an empty object', 'told', () => '{}'),
]

const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``
const second = (text: string): string => text.replace('{', '{"second":true,')
/** The first object within a reply. null: there is none. */
function partOf(reply: unknown): object | null {
  const inner = isRecord(reply) ? Object.values(reply) : Array.isArray(reply) ? reply : []
  return inner.map((one): object | null => (isRecord(one) ? one : partOf(one))).find((one) => one !== null) ?? null
}

const OBJECTS: Form[] = [
  written('two objects', 'two objects', 'told', (text) => `${text}\n${second(text)}`),
  written('two objects', 'in two fences', 'told', (text) => `${fenced(text)}\n\n${fenced(second(text))}`),
  written('two objects', 'one in a fence', 'told', (text) => `I thought of ${second(text)} first.\n${fenced(text)}`),
  written('two objects', 'a broken one before it', 'told', (text) => `${second(text).replace('{', '{,,')}\n${text}`),
  written('two objects', 'a broken one behind it', 'told', (text) => `${text}\n${second(text).replace(':', '::')}`),
  written(
    'two objects',
    'a broken one in a fence',
    'told',
    (text) => `${fenced(text)}\n${fenced(second(text).replace(':', ''))}`,
  ),
  written('two objects', 'one without its end behind it', 'told', (text) => `${text}\n${second(text).slice(0, -7)}`),
  written(
    'two objects',
    'one without its last brace before it',
    'told',
    (text) => `${second(text).slice(0, -1)}\nOr:\n${text}`,
  ),
  written('the same object', 'twice', 'understood', (text) => `${text}\n\nOnce more:\n${text}`),
  written('the same object', 'in two fences', 'understood', (text) => `${fenced(text)}\n${fenced(text)}`),
  written(
    'the same object',
    'once with a comma too many',
    'understood',
    (text) => `${text.replace(/\}$/, ',}')}\n${text}`,
  ),
  written('the same object', 'with its members in another order', 'understood', (text) => {
    const turned = json(Object.fromEntries(Object.entries(JSON.parse(text)).toReversed()))
    return `${text}\n${turned}`
  }),
  form('the same object', 'a part of it before it', 'understood', (reply) => {
    const part = partOf(reply)
    return part === null ? null : `The main part is ${json(part)}.\n${json(reply)}`
  }),
]

/** Replies whose texts have quotation marks, without the backslashes before them. */
const unescaped = (name: string, expected: Expected, change: (text: string) => string): Form =>
  form('quotation marks in texts', name, expected, (reply) => {
    const text = json(reply)
    return text.includes('\\"') ? change(text.replaceAll('\\"', '"')) : null
  })
const MARKS: Form[] = [
  unescaped('without a backslash', 'understood', (text) => text),
  unescaped('and a comma too many', 'understood', (text) => text.replace(/\}$/, ',}')),
  unescaped('and colons of full width', 'understood', (text) => text.replaceAll('":', '"：')),
  unescaped('and commas of full width', 'understood', (text) => text.replaceAll(',"', '，"')),
  unescaped('and all signs of full width', 'understood', (text) =>
    text.replaceAll('":', '"：').replaceAll(',"', '，"').replaceAll('},{', '}，{'),
  ),
  unescaped(
    'and a fence, prose and signs of full width',
    'understood',
    (text) => `好的：\n${fenced(text.replaceAll('":', '"：').replaceAll(',"', '，"'))}\n请查收。`,
  ),
  unescaped('that are no pairs, and signs of full width', 'told', (text) =>
    text.replace(/：/, '"：').replaceAll('":', '"：').replaceAll(',"', '，"'),
  ),
  unescaped('and a comment, and signs of full width', 'told', (text) =>
    text.replaceAll('":', '"：').replace(/\}$/, '/* so */}'),
  ),
  form('Chinese signs', 'all signs of full width', 'understood', (reply) =>
    json(reply).replaceAll('":', '"：').replaceAll(',"', '，"').replaceAll('},{', '}，{'),
  ),
]

const answers = (yes: unknown, no: unknown): Form =>
  members('yes and no', `${json([yes])} and ${json([no])}`, 'understood', (value) =>
    value === true ? yes : value === false ? no : value,
  )
/** A goal that was reached in part was not reached. */
const inPart = (word: string): Form =>
  members('yes and no', `${word} in place of no`, 'understood', (value, name) =>
    value === false && (name === 'achieved' || name === 'is_complete') ? word : value,
  )
const ANSWERS: Form[] = [
  answers('yes', 'no'),
  answers('Y', 'N'),
  answers('True.', 'FALSE!'),
  answers(' "true" ', "'false'"),
  answers(1, 0),
  answers('1', '0'),
  answers('是', '否'),
  answers('对。', '不。'),
  answers('“是的！”', '“不是！”'),
  ...['partly', 'Partially.', '部分', '未完成'].map(inPart),
  members('yes and no', 'neither, where one is needed', 'told', (value, name) =>
    name === 'is_complete' ? 'perhaps' : value,
  ),
]

/** What is too long, or too broken, to be mended in time. */
const HOSTILE: Form[] = [
  written('too much to mend', 'marks that are doubted', 'told', (text) =>
    text.replace(/\}$/, `,"x":['a${",x'y".repeat(3_000)},z]}`),
  ),
  written('too much to mend', 'values without commas', 'told', (text) =>
    text.replace(/\}$/, `,"x":[${'1 '.repeat(7_500)}]}`),
  ),
  written('too much to mend', 'brackets', 'told', (text) => text.replace(/\}$/, `,"x":${'f('.repeat(3_000)}1}`)),
  written('too much to mend', 'a long comment', 'told', (text) =>
    text.replace('{', `{/* ${'so it is '.repeat(2_000)}*/`),
  ),
  written('too much to mend', 'a hundred objects', 'told', (text) => `${text}\n${'{"a":1} {"b":2}\n'.repeat(50)}`),
]

const ENDS: Form[] = [
  form('cut replies', 'cut by the endpoint', 'told', (reply) =>
    cutReply(json(reply).slice(0, Math.ceil(json(reply).length / 2))),
  ),
  form('cut replies', 'whole, but marked as cut', 'told', (reply) => cutReply(json(reply))),
  form('empty replies', 'nothing', 'told', () => ''),
  form('empty replies', 'blanks', 'told', () => ' \n '),
  form('empty replies', 'an empty fence', 'told', () => '```json\n```'),
]

export const FORMS: readonly Form[] = [
  ...FENCES,
  ...PROSE,
  ...THINKING,
  ...SYNTAX,
  ...SHAPE,
  ...OBJECTS,
  ...MARKS,
  ...ANSWERS,
  ...HOSTILE,
  ...ENDS,
]
