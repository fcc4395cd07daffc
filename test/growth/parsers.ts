/** Every reader of outside text, in one table: what it is given, and in which modules it reads. parsers.test.ts holds the table to the sources. */
import * as z from 'zod'
import { requestedAnswerForm, normalizeAnswer, ResponseSchema } from '../../src/core/terms/schema/answer-form.ts'
import { toWorkspaceMoment } from '../../src/core/workspace/commands/context.ts'
import { readCommand } from '../../src/core/workspace/commands/grammar.ts'
import { nearestCommand } from '../../src/core/workspace/commands/forms.ts'
import { readToolCall } from '../../src/core/workspace/commands/tool-call/read.ts'
import { fileName } from '../../src/core/terms/files/files.ts'
import { isContinue } from '../../src/core/protocol/input.ts'
import { readMarkup } from '../../src/core/mode/markup.ts'
import { readSlashText } from '../../src/core/mode/slash-text.ts'
import { callsOf } from '../../src/core/modes/conversation/calls.ts'
import { isReportTask, reportRow } from '../../src/core/modes/autonomous/report.ts'
import { writtenCalls } from '../../src/core/modes/conversation/written-calls.ts'
import { meaningOf } from '../../src/core/modes/orchestrator/words.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { roundsOf, natureOf } from '../../src/core/modes/session/detector.ts'
import { readFencedJson, readReply } from '../../src/core/mode/reply.ts'
import { LENIENT } from '../support/readers.ts'
import { documentWith, list } from '../support/openapi.ts'
import { readTags } from '../../src/core/mode/tags.ts'
import { cut } from '../../src/core/terms/text.ts'
import { appliedSchema } from '../../src/core/terms/schema/tool-parameters.ts'
import { readCsvRows } from '../../src/datasets/formats/csv.ts'
import { dateForms } from '../../src/datasets/cells/dates.ts'
import { formBits } from '../../src/datasets/cells/forms.ts'
import { headerOf } from '../../src/datasets/formats/header.ts'
import { readJsonRows } from '../../src/datasets/formats/json.ts'
import { PAGES } from '../../src/pages/page.ts'
import { readPage } from '../../src/pages/read-page.ts'
import type { RowSink } from '../../src/datasets/table.ts'
import { readSheetRows } from '../../src/datasets/formats/workbook/sheets.ts'
import { readCommandFile } from '../../src/delegations/command-file.ts'
import { readReportFile, writeReportFile } from '../../src/delegations/report-file.ts'
import { parseBody } from '../../src/http/gate/body.ts'
import { loginsOf } from '../../src/http/gate/login/logins.ts'
import { tokenFault } from '../../src/http/gate/login/read-token.ts'
import { loginOf, standIn } from '../login/stand-in.ts'
import { boundaryOf, readParts } from '../../src/http/multipart/parts.ts'
import { versionsOfIfMatch, matchesEtag } from '../../src/http/gate/etag.ts'
import { failureOf } from '../../src/http/gate/failure.ts'
import { formFor } from '../../src/telemetry/metrics/text-format.ts'
import { routeHint } from '../../src/http/gate/hints/nearest-route.ts'
import { textErrors } from '../../src/http/gate/text-safety.ts'
import { preferredLocale } from '../../src/http/gate/language.ts'
import { preferredWait } from '../../src/http/gate/prefer.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { httpFailure } from '../../src/models/failures.ts'
import { nextChatDialect } from '../../src/models/wires/chat/dialect.ts'
import { readCompletion } from '../../src/models/wires/chat/reply.ts'
import { nextMessagesDialect } from '../../src/models/wires/messages/refusals.ts'
import { answerReading } from '../../src/models/wires/event-stream.ts'
import { collectMessage } from '../../src/models/wires/messages/collect.ts'
import { readMessage } from '../../src/models/wires/messages/reply.ts'
import { collectResponse } from '../../src/models/wires/responses/collect.ts'
import { collectWorkersAi } from '../../src/models/wires/workers-ai/collect.ts'
import { FIRST_DIALECT, type StreamReading } from '../../src/models/wires/wire.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { toHits } from '../../src/search/hits.ts'
import { fillText, placeholdersIn, urlParts } from '../../src/core/terms/values/http-template.ts'
import { HttpEntry } from '../../src/http/shapes/tools/http-entry.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import { readAddress } from '../../src/shell/network/address.ts'
import { readReference } from '../../src/shell/secrets/references.ts'
import { redactor } from '../../src/shell/secrets/redaction.ts'
import { filledGoal, unknownPlaceholder } from '../../src/core/workspace/agents/agent-goal.ts'
import { readAgentRef } from '../../src/core/workspace/agents/agent.ts'
import { filledTemplate, misspeltPlaceholder } from '../../src/core/workspace/schedules/template.ts'
import { PutSecret } from '../../src/http/shapes/requests.ts'
import { ExchangeCode } from '../../src/http/shapes/sign-in.ts'
import { retryAfterMs } from '../../src/shell/network/retry-after.ts'
import { readJournal } from '../../src/store/task/journal-file.ts'
import { fits } from '../../src/store/fits.ts'
import { SCHEDULE_TOOL, TODO_TOOL } from '../../src/tools/commands.ts'
import { readCodeInput } from '../../src/tools/run-code/input.ts'
import { robotsVerdict } from '../../src/tools/fetch-url/robots.ts'
import { readRunnerAnswer } from '../../src/tools/run-code/remote-python-answer.ts'
import { callOnce, toolOf } from '../support/http-call.ts'
import type { Shape } from './shapes.ts'
import { MARKUP, PLACES } from './workbook.ts'

/** Logins of an issuer that is away. */
const LOGINS = loginsOf(loginOf({ AUTH_PROVIDER: 'cloudflare-access' }), { ...standIn().ports, public_url: null })

export interface Parser {
  /** Modules of `src` whose readers it runs. */
  modules: readonly string[]
  read: (text: string) => unknown
  /** The same, of what is made of a text before: that is not measured. */
  prepared?: (text: string) => () => unknown
  /** Shapes of its own, besides those of all. */
  shapes?: Readonly<Record<string, Shape>>
  /** In the CI it gets the shapes of this turn only: others like it get the rest. */
  share?: { of: number; at: number }
  /** The characters that reach it at the most, and who sees to that. Longer texts are cut to them. */
  reaches?: { chars: number; by: string }
  /** It runs in the Worker of computing, whose isolate serves nobody else. */
  computes?: true
}

/** The longest value, which overlaps itself, and begins as most of a hostile text does. */
const LONG_VALUE = 'a'.repeat(8_191)
const { redact, redactLong } = redactor([
  ['long', `${LONG_VALUE}b`],
  ['short', 'a b+/\\%&'],
])
const nothing = () => Promise.resolve()
const pageOf = (text: string, content_type: string) => {
  const bytes = new Uint8Array(new TextEncoder().encode(text))
  return { bytes, content_type, address: 'https://a.b/c', is_cut: false }
}
/** A clock that never stands still, so that no rules are known already. */
const ROBOTS = { now_ms: () => (robots_ms += 1_000_000), user_agent: 'x', reach: { loopback: false } }
let robots_ms = 0
const answering = (text: string) => () => Promise.resolve(new Response(text))

/** A journal without rows. */
const NO_ROWS = (): never => {
  throw new Error('there are no rows')
}

/** A dialect and a request from which a refusal can take everything. */
const ASKED = { ...FIRST_DIALECT, wire: 'chat' as const, form: 'json_schema' as const }
const ASKING: ModelRequest = {
  model: null,
  temperature: 0,
  reasoning_effort: 'low',
  messages: [],
  contract: { name: 'plan', schema: {} },
  tools: [],
  form: 'json_schema',
  max_output_tokens: 64,
  metadata: { task: 't', mode: 'session', phase: 'turn', seq: 1 },
}
/** An answer that streams a text. */
const streamedAnswer = (text: string, collect: StreamReading['collect']) => {
  const bounds = { bytes_max: 100_000_000, chars_max: 100_000_000, silence_ms: 60_000 }
  const headers = { 'content-type': `text/event-stream${text.slice(0, 100).replaceAll(/[^ ;]/g, '')}` }
  const { reader } = answerReading({ collect, ...bounds, onWords: () => {} })
  return reader(new Response(bytesOf(text), { headers }))
}
/** A text in pieces, each in an event of its own. */
const eventsOf = (text: string, event: (piece: string, at: number) => object): string => {
  const events: string[] = []
  for (let at = 0; at < text.length; at += 8)
    events.push(`data: ${JSON.stringify(event(text.slice(at, at + 8), at))}\n\n`)
  return events.join('')
}
const messageEvent = (piece: string, at: number) =>
  [
    { type: 'content_block_delta', index: at, delta: { type: 'text_delta', text: piece } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: piece } },
    { type: 'message_start', message: { [piece]: at } },
    { type: 'message_delta', delta: { [piece]: at, stop_reason: piece }, usage: { [piece]: at } },
  ][(at / 8) % 4] ?? {}
const responseEvent = (piece: string, at: number) =>
  at % 16 === 0
    ? { type: 'response.output_text.delta', delta: piece }
    : { type: 'response.output_item.done', output_index: -at, item: { text: piece } }
const runEvent = (piece: string) => ({ response: piece, p: piece })

const thinkingIn = (text: string) => ({ content: [{ type: 'text', text }], reasoning_details: [{ text }] })

const all: RowSink = () => true
const encoder = new TextEncoder()
const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => new Blob([new Uint8Array(bytes)]).stream()
const bytesOf = (text: string) => streamOf(encoder.encode(text))
/** No header can hold what is not Latin-1, and no runtime takes one of more than 16 KB. */
const HEADERS = { chars: 16_384, by: 'the runtime refuses a request with longer headers' }
const INPUT = { chars: 16_000, by: 'INPUT_MAX in src/http/shapes/requests.ts' }
const headerOfText = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '!')
const headers = (name: string, text: string) => new Headers({ [name]: headerOfText(text) })
const json = (text: string) => JSON.stringify({ text })
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const body = (type: string) => (text: string) =>
  parseBody(encoder.encode(text), new Headers({ 'content-type': type }), {
    kinds: ['json', 'form', 'text', 'markdown'],
    empty: false,
    field: null,
  })

/** It takes any argument, so that all of them are written. */
const HTTP_TOOL = toolOf({
  method: 'POST',
  url: 'https://a.example.com/{a}',
  query: { b: '{b}' },
  headers: { c: '{c}', d: 'secret:orders' },
  body: { template: { a: '{a}', b: 'x {b}', c: ['{c}'] } },
  parameters: { type: 'object', properties: { a: {}, b: {}, c: {} } },
})

const REPLY = {
  chars: 65_536,
  by: 'REPLY_BYTES_MAX in src/core/mode/prompt-bytes.ts, for replies of models and of edited forks',
}

/** What the offline model is asked in each mode, with a text at the place of the goal, of a report, of an answer. */
const local_time = '2026-11-23 09:00'
const ask = (mode: string, context: object) =>
  offlineModel().complete(
    {
      messages: [
        { role: 'system', content: `Local time: ${local_time} (UTC)` },
        { role: 'user', content: JSON.stringify(context) },
      ],
      metadata: { mode, phase: 'plan' },
      tools: [],
      form: null,
    } as never,
    {} as never,
  )
const said = { locale: 'en', local_time }
const item = { id: 'a', title: 'Todo: milk' }
const askForThought = (more: object) => ask('plan_execute', { ...said, phase: 'thought', goal: 'a', ...more })

const OFFLINE = [
  ...['goal/', 'manners/', 'moves/', 'time/'].map((room) => `models/offline/${room}`),
  ...['context', 'dynamic', 'replan', 'safe-text', 'session', 'session-talk', 'summary', 'thought'].map(
    (name) => `models/offline/${name}.ts`,
  ),
]

const DATA_MEMBERS = {
  total: { type: 'number' },
  day: { type: 'string', format: 'date' },
  contact: { type: 'string', format: 'email' },
  paid: { type: 'boolean' },
  state: { enum: ['open', 'closed'] },
  findings: { type: 'array', items: { type: 'string' } },
}
const ORCHESTRATOR = ['models/offline/orchestrator/']
const AUTONOMOUS = ['models/offline/autonomous/']

/** Mistakes in JSON, as long as a reply may be, that the repair has to doubt one by one. */
const MISTAKES: Readonly<Record<string, Shape>> = {
  'quotation marks in a text': (size) => `{"t":"${'"x" '.repeat(size / 4)}"}`,
  'texts without commas': (size) => `{${'"a" '.repeat(size / 4)}}`,
  'words without quotes': (size) => `{${'a b '.repeat(size / 4)}}`,
  'texts that are joined': (size) => `{"t":${'"a"+'.repeat(size / 4)}"a"}`,
  'calls in calls': (size) => `{"t":${'f('.repeat(size / 2)}}`,
  'objects side by side': (size) => '{"a":1}\n'.repeat(size / 8),
  'marks that may end each text': (size) => `{"t":['a${",x'y".repeat(size / 4)},z]}`,
  'values without commas': (size) => `{"t":[${'1 '.repeat(size / 2)}]}`,
  'signs of full width': (size) => `{"t"："${'他说"好"，"坏"：对'.repeat(size / 11)}"}`,
  'objects that do not end': (size) => '{"a" '.repeat(size / 5),
}

export const PARSERS: Readonly<Record<string, Parser>> = {
  'a reply of JSON': {
    modules: ['core/mode/reply.ts', 'core/mode/json/'],
    read: (text) => readReply(z.object({}), text, LENIENT),
    reaches: REPLY,
    shapes: MISTAKES,
  },
  'a reply in a fence': { modules: ['core/mode/reply.ts'], read: readFencedJson },
  'a reply with tags': { modules: ['core/mode/tags.ts', 'core/mode/markup.ts'], read: readTags },
  'a report, and the name of a task': {
    modules: ['core/modes/autonomous/report.ts'],
    read: (text) => [isReportTask(text), reportRow({ kept: null, idle: null }, { report: text }, NO_ROWS)],
  },
  'a reply with markup': {
    modules: ['core/mode/markup.ts', 'core/mode/marks.ts'],
    read: (text) => readMarkup(text, { strict_replies: false }),
    shapes: {
      'marks side by side': (size) => '[Done] '.repeat(size / 7),
      'marks apart': (size) => 'a [Done] '.repeat(size / 9),
    },
  },
  'calls written as text': {
    modules: ['core/modes/conversation/written-calls.ts', 'core/modes/conversation/calls.ts'],
    read: (text) => [
      writtenCalls(text, ['todo']),
      callsOf(
        { kind: 'model_replied', text, usage: null, model: 'm', form: 'text' },
        { tools: [], settings: DEFAULT_SETTINGS },
      ),
    ],
  },
  'a completion': {
    modules: ['models/wires/chat/reply.ts', 'models/wires/reply-parts.ts'],
    read: (text) => [
      readCompletion({ type: 'application/json', text: JSON.stringify({ choices: [{ message: { content: text } }] }) }),
      readCompletion({ type: text.slice(0, 16_384), text }),
      readCompletion({ type: 'application/json', text: JSON.stringify({ choices: [{ message: thinkingIn(text) }] }) }),
    ],
  },
  'a message of an endpoint': {
    modules: ['models/wires/messages/reply.ts', 'models/wires/reply-parts.ts'],
    read: (text) => {
      const call = { type: 'tool_use', id: text, name: text.slice(0, 200), input: { text } }
      const content = [{ type: 'text', text }, call, { type: 'thinking', thinking: text, signature: text }]
      return [
        readMessage({ type: 'application/json', text: JSON.stringify({ content, stop_reason: text }) }, true),
        readMessage({ type: text.slice(0, 16_384), text }, true),
      ]
    },
  },
  'a streamed answer': {
    modules: ['models/wires/event-stream.ts'],
    read: (text) => [collectMessage, collectResponse, collectWorkersAi].map((collect) => streamedAnswer(text, collect)),
  },
  'the events of a streamed answer': {
    modules: ['models/wires/event-stream.ts'],
    read: (text) => [
      streamedAnswer(eventsOf(text, messageEvent), collectMessage),
      streamedAnswer(eventsOf(text, responseEvent), collectResponse),
      streamedAnswer(eventsOf(text, runEvent), collectWorkersAi),
    ],
  },
  'a refusal of the Messages wire': {
    modules: ['models/wires/messages/refusals.ts'],
    read: (text) =>
      [text, `thinking.type.${text}`, `output_config${text}`, `thinking ${text}`].map((told) =>
        nextMessagesDialect({ ...FIRST_DIALECT, wire: 'messages', form: 'json_schema' }, { status: 400, text: told }),
      ),
  },
  'a refusal of an endpoint': {
    modules: [
      'models/failures.ts',
      'models/wires/refusal-text.ts',
      'models/wires/chat/dialect.ts',
      'models/wires/chat/effort.ts',
      'shell/network/retry-after.ts',
    ],
    read: (text) => [
      nextChatDialect(ASKED, { status: 400, text }, ASKING),
      nextChatDialect(ASKED, { status: 400, text: JSON.stringify({ error: { message: text } }) }, ASKING),
      httpFailure({ status: 400, headers: new Headers(), text: JSON.stringify({ error: { code: text } }) }, '', 0),
      retryAfterMs(headers('retry-after', text.slice(0, 16_384)), 0),
    ],
  },
  'a report': {
    modules: DELEGATIONS('report-file report-status sections headings labels fences front-matter lines amounts'),
    read: readReportFile,
  },
  'a report in a front matter': {
    modules: DELEGATIONS('front-matter amounts'),
    read: (text) => readReportFile(`---\nstatus: ${text}\ntokens: 1\ncost_usd: ${text}\n---\n${text}`),
  },
  'a report that is written': {
    modules: DELEGATIONS('report-file sections'),
    read: (text) => writeReportFile({ ...readReportFile(text), command_id: null }),
  },
  'a command of a worker': { modules: DELEGATIONS('command-file'), read: readCommandFile },
  'a slash command': {
    modules: [
      ...COMMANDS('dates grammar options schedule/schedule-grammar todo/todo-grammar'),
      'core/terms/plain/minutes.ts',
    ],
    read: (text) =>
      ['', '/todo add ', '/todo add x --due ', '/todo list ', '/schedule add 2026-01-01 10:00 ', '/schedule view '].map(
        (words) =>
          readCommand((words + text).trim(), (literal, time) =>
            toWorkspaceMoment(literal, time, { momentAt: () => '' }),
          ),
      ),
    reaches: INPUT,
  },
  'the input of a tool for commands': {
    modules: ['core/mode/slash-text.ts', ...COMMANDS('tool-call/durations tool-call/read tool-call/values')],
    read: (text) => [
      ...[text, `/todo ${text}`, `\`\`\`${text}`, `/schedule add 2026-01-01 10:00 a --duration ${text}`].flatMap(
        (input) => [TODO_TOOL, SCHEDULE_TOOL].map((tool) => readSlashText(input, tool)),
      ),
      ...['text', 'due', 'tag', 'priority', text].map((member) =>
        readToolCall('add_todo', { text: 'a', [member]: text }, () => null),
      ),
      ...['duration_minutes', 'repeat', 'stop_repeat'].map((member) =>
        readToolCall('update_event', { id: 1, [member]: text }, () => null),
      ),
      readToolCall('list_events', { date: text }, () => null),
    ],
    reaches: REPLY,
  },
  'a word to a task': {
    modules: ['core/protocol/input.ts', 'core/engine/approval.ts', 'core/modes/orchestrator/words.ts'],
    read: (text) => [isContinue(text), meaningOf(text)],
    reaches: INPUT,
  },
  'an answer with choices': {
    modules: ['core/terms/schema/answer-form.ts'],
    read: (text) => normalizeAnswer(requestedAnswerForm({ choices: ['a', 'b'], response_schema: null }), text, fits),
    reaches: INPUT,
  },
  'an answer with a schema': {
    modules: ['core/terms/schema/answer-form.ts', 'store/fits.ts'],
    read: (text) => {
      const schema = { anyOf: Array.from({ length: 90 }, () => ({ items: { type: 'integer', maximum: 0 } })) }
      return normalizeAnswer(
        requestedAnswerForm({ choices: null, response_schema: JSON.stringify(schema) }),
        text,
        fits,
      )
    },
    reaches: INPUT,
  },
  'a schema of a model': {
    modules: ['core/terms/schema/answer-form.ts', 'core/terms/schema/schema-words.ts'],
    read: (text) => ResponseSchema.safeParse(text),
  },
  'a schema of a client': {
    modules: ['core/terms/schema/tool-parameters.ts', 'core/terms/schema/schema-words.ts'],
    read: (text) => [
      appliedSchema(parsed(text) as Record<string, unknown>),
      appliedSchema({ type: 'object', properties: { a: { $ref: `#/${text}` } } }),
    ],
    reaches: { chars: 16_384, by: 'PARAMETERS_CHARS_MAX in src/http/shapes/client-tools.ts' },
  },
  'a value held against a schema': {
    modules: ['store/fits.ts'],
    read: (text) =>
      fits(
        { anyOf: Array.from({ length: 400 }, () => ({ type: 'object', items: { type: 'null' }, minLength: 9 })) },
        parsed(text),
      ),
    reaches: REPLY,
  },
  'a step of a session': {
    modules: ['core/modes/session/detector.ts'],
    read: (text) => [roundsOf(text, { fallback_by_step_size: true }), natureOf('todo', text)],
  },
  'a text that is cut': { modules: ['core/terms/text.ts'], read: (text) => cut(text, 1_000) },
  'a path that is no route': {
    modules: ['http/gate/hints/nearest-route.ts', 'core/workspace/commands/forms.ts'],
    read: (text) => [routeHint(`/${text}`, ['/tasks/{id}/step']), nearestCommand(text)],
  },
  'a name of a file': { modules: ['core/terms/files/files.ts'], read: (text) => fileName(text) },
  'a body of JSON': {
    modules: ['http/gate/body.ts', 'http/gate/hints/json-error.ts', 'http/gate/text-safety.ts'],
    read: (text) => [body('application/json')(text), textErrors(parsed(text)), textErrors(parsed(json(text)))],
  },
  'a body of a form': { modules: ['http/gate/body.ts'], read: body('application/x-www-form-urlencoded') },
  'a body of text': { modules: ['http/gate/body.ts'], read: body('text/plain') },
  'a form of several parts': {
    modules: ['http/multipart/parts.ts'],
    read: async (text) => {
      boundaryOf(text)
      const form = [
        text,
        '\r\n--b\r\ncontent-disposition: form-data; name="',
        text,
        '"\r\n\r\n',
        text,
        '\r\n--b--',
      ].join('')
      const parts = readParts(bodyStream(`--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${form}`), 'b')
      try {
        while ((await parts.next()) !== null);
      } catch {
        // What cannot be read is refused.
      }
    },
  },
  'headers of a request': {
    modules: [
      'http/gate/prefer.ts',
      'http/gate/etag.ts',
      'http/gate/language.ts',
      'http/gate/request-limits.ts',
      'http/gate/body.ts',
    ],
    read: async (text) => {
      const header = headerOfText(text)
      const request = new Request('http://a/', { headers: { 'accept-language': header } })
      body(header)('')
      return [preferredWait(header), versionsOfIfMatch(header), matchesEtag(header, '"1"'), preferredLocale(request)]
    },
    reaches: HEADERS,
  },
  'an address': {
    modules: ['shell/network/address.ts'],
    read: (text) => readAddress(`https://${text}`, { loopback: false }),
  },
  'the token of a login': {
    modules: ['http/gate/login/logins.ts', 'http/gate/login/read-token.ts'],
    read: async (text) => {
      const headers = { 'cf-access-jwt-assertion': headerOfText(text) }
      const shown = await LOGINS.readAmbient(new Request('http://a/', { headers }))
      return [shown, await LOGINS.verify({ token: text, digest: new Uint8Array() }), tokenFault(text, 'i')]
    },
  },
  'the code of a sign-in': {
    modules: ['http/shapes/sign-in.ts'],
    read: (text) =>
      ExchangeCode.safeParse({ code: text, code_verifier: text, nonce: text, redirect_uri: `https://${text}/` }),
  },
  'a secret as it is sent': {
    modules: ['http/shapes/requests.ts', 'shell/secrets/hosts.ts'],
    read: (text) => PutSecret.safeParse({ value: text, hosts: [text, `https://${text}`] }),
  },
  'the goal of an agent': {
    modules: ['core/workspace/agents/agent-goal.ts', 'core/workspace/agents/agent.ts'],
    read: (text) => [
      readAgentRef(text),
      unknownPlaceholder(text, ['xxxxxxxx']),
      filledGoal({ goal: text, is_template: true, input: { xxxxxxxx: 'y', text }, locale: 'en' }),
    ],
    shapes: {
      'open braces': (chars) => '{'.repeat(chars),
      'placeholders that are not closed': (chars) => '{{xxxxxxxx'.repeat(chars / 10),
      'placeholders that the input has': (chars) => '{{xxxxxxxx}}'.repeat(chars / 12),
    },
  },
  'the template of a schedule': {
    modules: ['core/workspace/schedules/template.ts'],
    read: (text) => [
      misspeltPlaceholder(text),
      filledTemplate({ goal: text, metadata: { a: text } }, { name: 'n', tick: 0, timezone: 'UTC' }),
    ],
    shapes: {
      'open braces': (chars) => '{'.repeat(chars),
      'placeholders that are not closed': (chars) => '{{scheduled_at'.repeat(chars / 14),
      'placeholders that nobody knows': (chars) => '{{xxxxxxxx}}'.repeat(chars / 12),
      placeholders: (chars) => '{{scheduled_date}}'.repeat(chars / 18),
    },
  },
  'an answer with values of secrets': {
    modules: ['shell/secrets/redaction.ts', 'shell/secrets/spellings.ts', 'shell/secrets/references.ts'],
    read: async (text) => [redact(text), await redactLong(text, nothing), readReference(text)],
    shapes: {
      'a value again and again, up to its last character': (chars) =>
        `${LONG_VALUE}x`.repeat(chars / LONG_VALUE.length),
      'all of a value that overlaps itself': (chars) => 'a'.repeat(chars),
      'three spellings in turn': (chars) => '%61\u0061&#97;'.repeat(chars / 14),
    },
  },
  'the templates of an HTTP tool': {
    modules: ['core/terms/values/http-template.ts', 'http/shapes/tools/http-entry.ts'],
    read: (text) => {
      const entry = { url: `https://a.example.com/${text}`, query: { a: text }, headers: { [text]: text } }
      return [
        [placeholdersIn(text), fillText(text, () => text.slice(0, 9)), urlParts(text)],
        HttpEntry.safeParse(entry),
      ]
    },
    reaches: { chars: 32_768, by: 'TOOLS_BYTES_MAX in src/http/shapes/tools/entries.ts' },
  },
  'an argument of an HTTP tool': {
    modules: ['tools/http/request.ts'],
    read: (text) => callOnce(HTTP_TOOL, () => new Response('ok'), { args: { a: text, b: text, c: text } }),
    reaches: REPLY,
  },
  'an answer to an HTTP tool': {
    modules: ['tools/http/answer.ts'],
    read: async (text) => {
      const type = headerOfText(text).slice(0, 8_000)
      const answers = [`text/html;${type}`, 'text/plain', type].map((one) => ({ 'content-type': one }))
      const http = { selects: true, answer: text }
      const args = { a: 'a', fields: [text] }
      for (const headers of answers) await callOnce(HTTP_TOOL, () => new Response(text, { headers }), { args })
      for (const value of [text, { [text]: text }, [text, text]])
        await callOnce(HTTP_TOOL, () => Response.json(value), { args, http })
    },
  },
  'an OpenAPI document': {
    modules: ['tools/openapi/'],
    read: async (text) => {
      await list(text)
      const parameters = [{ name: text, in: 'query', schema: { description: text, pattern: text } }]
      const get = { operationId: text, summary: text, description: text, tags: [text], parameters }
      await list(documentWith({ [`/a/${text}`]: { get, servers: [{ url: `https://a.example.com/${text}` }] } }))
      await list(documentWith({ '/a': { get } }), { operations: [text] })
    },
  },
  'a line of the log': {
    modules: ['http/gate/failure.ts', 'telemetry/error-facts.ts'],
    read: (text) => [
      failureOf(new Error(text)),
      failureOf(Object.assign(new Error('x'), { stack: `Error: x\n${text}` })),
    ],
  },
  'what a scraper accepts': { modules: ['telemetry/metrics/text-format.ts'], read: (text) => formFor(text) },
  'hits of a search': {
    modules: ['search/hits.ts'],
    read: (text) => toHits([{ title: text, summary: text, link: `https://a.b/${text}`, html: true }], 5),
  },
  'input of run_code': {
    modules: ['tools/run-code/input.ts'],
    read: (text) => [readCodeInput(text), readCodeInput(JSON.stringify({ code: text }))],
  },
  'an answer of a code runner': {
    modules: ['tools/run-code/remote-python-answer.ts'],
    read: (text) =>
      readRunnerAnswer(
        { status: 'success', exit_code: 0, timed_out: false, stdout: text, stderr: text, results: text, charts: [] },
        'en',
      ),
  },
  'a page in HTML': {
    modules: ['pages/charset.ts', 'pages/html/markdown.ts', 'pages/page.ts', 'pages/read-page.ts'],
    read: (text) => readPage(pageOf(text, 'text/html'), PAGES, nothing),
    computes: true,
  },
  'a page of another type': {
    modules: ['pages/read-page.ts'],
    read: async (text) => [
      await readPage(pageOf(text, ''), PAGES, nothing),
      await readPage(pageOf(`[${JSON.stringify(text)}]`, 'application/json'), PAGES, nothing),
    ],
    computes: true,
  },
  'rules of robots.txt': {
    modules: ['tools/fetch-url/robots.ts'],
    read: (text) => robotsVerdict({ ...ROBOTS, fetch: answering(text) }, new URL('https://a.b/c/d')),
  },
  'rows of a CSV': {
    modules: DATASETS('formats/csv formats/decode formats/header formats/row-lists'),
    read: (text) => readCsvRows(bytesOf(text), false, all),
    computes: true,
  },
  'rows of a TSV': {
    modules: DATASETS('formats/csv'),
    read: (text) => readCsvRows(bytesOf(text), true, all),
    computes: true,
  },
  'rows of JSON': {
    modules: DATASETS('formats/json formats/json-elements'),
    read: (text) => readJsonRows(bytesOf(text), all),
    computes: true,
  },
  ...Object.fromEntries(
    Object.entries(PLACES).map(([place, workbook], at): [string, Parser] => [
      `a workbook with the text in ${place}`,
      {
        modules: DATASETS('formats/workbook/sheets formats/workbook/zip'),
        read: (text) => readSheetRows(streamOf(workbook(text)), null, all),
        prepared: (text) => {
          const bytes = workbook(text)
          return () => readSheetRows(streamOf(bytes), null, all)
        },
        shapes: MARKUP,
        share: { of: Object.keys(PLACES).length, at },
        computes: true,
      },
    ]),
  ),
  'a cell': {
    modules: DATASETS('cells/forms cells/dates formats/header'),
    read: (text) => [formBits(text), dateForms(text), headerOf([text, text])],
    computes: true,
  },
  'an exported journal': { modules: ['store/task/journal-file.ts'], read: (text) => quietly(() => readJournal(text)) },
  'a goal for the built-in model': {
    modules: OFFLINE,
    read: (text) => ask('plan_execute', { ...said, phase: 'plan', goal: text }),
    reaches: { chars: 8_000, by: 'GOAL_MAX in src/http/shapes/requests.ts' },
  },
  'a remark for the built-in model': {
    modules: OFFLINE,
    read: (text) => ask('plan_execute', { ...said, phase: 'replan', goal: 'buy milk', remarks: [text] }),
    reaches: INPUT,
  },
  'an answer for the built-in model': {
    modules: OFFLINE,
    read: (text) => askForThought({ current_item: item, clarifications: [{ question: text, answer: text }] }),
    reaches: INPUT,
  },
  'a title for the built-in model': {
    modules: OFFLINE,
    read: (text) => askForThought({ current_item: { id: 'a', title: text } }),
    reaches: { chars: 500, by: 'TITLE_MAX in src/http/shapes/requests.ts' },
  },
  'a result for the built-in model': {
    modules: OFFLINE,
    read: (text) =>
      askForThought({
        current_item: { id: 'a', title: 'finish the milk todo' },
        observations: [{ item_id: 'a', tool: 'todo', input: '/todo search milk', ok: true, result: text }],
      }),
    reaches: { chars: 50_000, by: 'observation_char_limit' },
  },
  'a goal for the built-in model in mode dynamic': {
    modules: OFFLINE,
    read: (text) => ask('dynamic', { ...said, phase: 'plan', goal: text }),
    reaches: { chars: 8_000, by: 'GOAL_MAX in src/http/shapes/requests.ts' },
  },
  'a goal for the built-in model in mode orchestrator': {
    modules: ORCHESTRATOR,
    read: (text) => ask('orchestrator', { locale: 'en', phase: 'plan', goal: text }),
    reaches: { chars: 8_000, by: 'GOAL_MAX in src/http/shapes/requests.ts' },
  },
  'a change for the built-in model in mode orchestrator': {
    modules: ORCHESTRATOR,
    read: (text) =>
      ask('orchestrator', {
        locale: 'en',
        phase: 'plan',
        goal: 'first do a, then do b',
        plan: [{ title: 'do a', description: '', constraints: '', expected_output: '' }],
        requested_change: text,
      }),
    reaches: INPUT,
  },
  'a report for the built-in model in mode orchestrator': {
    modules: ORCHESTRATOR,
    read: (text) =>
      ask('orchestrator', {
        locale: 'en',
        phase: 'evaluate',
        goal: 'first do a, then do b',
        current_item: { title: 'do a' },
        remaining: ['do b'],
        report: { status: 'SUCCESS', results: text, pitfalls: text, next_steps: text, text },
      }),
    reaches: { chars: 20_000, by: 'SECTION_CHARS_MAX in src/core/terms/delegation.ts' },
  },
  'a result for the built-in model that gives its data': {
    modules: ['models/offline/data/'],
    read: (text) =>
      offlineModel().complete(
        {
          messages: [
            { role: 'system', content: '' },
            {
              role: 'user',
              content: JSON.stringify({
                output_schema: { type: 'object', properties: DATA_MEMBERS },
                goal: 'a',
                locale: 'en',
                result: text,
                items: [{ title: 'a', status: 'completed', result: text }],
              }),
            },
          ],
          metadata: { mode: 'session', phase: 'result' },
          tools: [],
          form: null,
        } as never,
        {} as never,
      ),
    reaches: { chars: 60_000, by: 'RESULT_CHARS in src/core/engine/result/prompt.ts' },
  },
  'a goal for the built-in model in mode autonomous': {
    modules: AUTONOMOUS,
    read: (text) =>
      offlineModel().complete(
        {
          messages: [
            { role: 'system', content: 'Local time: 2026-11-23 09:00' },
            { role: 'user', content: `Dataset: a.csv\n\nRequest: ${text}` },
          ],
          metadata: { mode: 'autonomous', phase: 'turn' },
          tools: [{ name: 'run_code' }, { name: 'read_dataset' }],
          form: null,
        } as never,
        {} as never,
      ),
    reaches: { chars: 8_000, by: 'GOAL_MAX in src/http/shapes/requests.ts' },
  },
  'a word for the built-in model in mode session': {
    modules: OFFLINE,
    read: (text) =>
      offlineModel().complete(
        {
          messages: [
            {
              role: 'system',
              content: `Current task: ${text}\nPlan the steps …\n\nLocal time: 2026-11-24 12:00 (UTC)`,
            },
            { role: 'user', content: text },
          ],
          metadata: { mode: 'session', phase: 'turn' },
          tools: [{ name: 'todo' }],
          form: null,
        } as never,
        {} as never,
      ),
    reaches: INPUT,
  },
}

function DELEGATIONS(names: string) {
  return names.split(' ').map((name) => `delegations/${name}.ts`)
}
function COMMANDS(names: string) {
  return names.split(' ').map((name) => `core/workspace/commands/${name}.ts`)
}
function DATASETS(names: string) {
  return names.split(' ').map((name) => `datasets/${name}.ts`)
}
function quietly<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
