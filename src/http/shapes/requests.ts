/** The bodies of requests as zod schemas, which openapi.yaml shows by their names. Schemas of answers are in answers.ts. */
import * as z from 'zod'
import { ReplyForm, ToolCall } from '../../core/terms/effect.ts'
import { Locale } from '../../core/terms/locale.ts'
import { Settings } from '../../core/terms/settings.ts'
import { Drive } from '../../core/terms/status.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import { readSecretHost } from '../../shell/secrets/hosts.ts'
import { nonBlankText, PositiveUsd, textUpTo } from './fields.ts'
import { CallbackUrl, CreateTask, max_ms, Metadata, rounds, SettingsInput, Title } from './task-requests.ts'
import { Tools } from './tools/entries.ts'

export const INPUT_MAX = 16_000

const TrialLocale = Locale.optional().describe('language of texts; by `Accept-Language` when left out, else `en`')
export const PreviewTools = z.strictObject({ tools: Tools, locale: TrialLocale })
const TOOL_NAME_MAX = 256
export const CallTool = z.strictObject({
  tools: Tools,
  name: nonBlankText(TOOL_NAME_MAX).describe('one of the tools that the preview lists'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('by the `parameters` of the tool'),
  locale: TrialLocale,
})
export const StepTask = z.strictObject({ rounds, max_ms })
export const InputTask = z.strictObject({
  input: nonBlankText(INPUT_MAX).describe('an answer, a remark, "continue", the cancel phrase, or a slash command'),
  request_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('the question that is answered; refused unless it is the open one'),
  rounds,
  max_ms,
})
/** The question itself refuses a blank answer, with a message for a person. */
export const AnswerQuestion = z.strictObject({ input: textUpTo(INPUT_MAX).describe('the answer') })
/** 10⁹ of a unit is more than a task will use, and far below the largest safe integer. */
const addedAmount = z.int().min(1).max(1_000_000_000).optional()
const AddedUsd = PositiveUsd.meta({
  description: 'USD as a decimal string above 0, such as "0.50"',
  examples: ['0.50'],
})
export const TopUpTask = z.strictObject({
  add: z
    .strictObject({
      steps: addedAmount.describe('of `plan_execute`; actions of `dynamic`'),
      iterations: addedAmount.describe('of `session`'),
      attempts: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe(
          'failures in a row beyond `failure_limit`, or `plan_retries`, until the next valid decision. A task that ended with `contract_failures` goes on',
        ),
      tokens: addedAmount,
      cost_usd: AddedUsd.optional(),
      seconds: addedAmount.describe('of working time'),
    })
    .refine((add) => Object.keys(add).length > 0, {
      error: 'must name at least one of steps, iterations, attempts, tokens, cost_usd, seconds',
      // A misspelt axis is reported as unknown and not as missing.
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ description: 'how much more of each axis', minProperties: 1 }),
})
const lastRow = z.int().min(1).describe('the seq of a closed row of the journal: the last one that is copied')
/** Which of these fields a row takes depends on its kind, see core/replay/fork-edit.ts. */
const RecordedOutcome = z
  .strictObject({
    text: z.string().optional().describe('of a model, a tool, an answer or a remark'),
    reason: z.string().optional().describe('with `status`: of a model call that failed'),
    status: z.int().nullable().optional().describe('of the HTTP error, null for any other failure'),
    ok: z.boolean().optional().describe('with `code` and `text`: of a tool'),
    code: z.string().optional(),
    tool_calls: z.array(ToolCall).min(1).max(32).optional().describe('of a model that calls tools natively'),
    negotiated: z.array(ReplyForm).max(2).optional().describe('as it was printed'),
  })
  .meta({ description: 'in the shape in which the journal prints `reply` of such a row' })
export const ForkTask = z
  .strictObject({
    at: lastRow,
    settings: SettingsInput.optional().describe('those that are to differ; the others are those of the task'),
    edit: z.strictObject({ seq: lastRow.describe('the same as `at`'), outcome: RecordedOutcome }).optional(),
    drive: Drive.default('manual').describe('whatever drives the other task: a fork does nothing until it is told to'),
    callback_url: CallbackUrl.optional().describe(
      'of the fork; left out: nobody is told of it, whoever is told of the other task',
    ),
  })
  .refine(({ at: row, edit }) => edit === undefined || edit.seq === row, {
    error: 'must equal at',
    path: ['edit', 'seq'],
  })
export const RetryTask = z.strictObject({
  settings: SettingsInput.optional().describe('those that are to differ; the others are those of the task'),
  drive: Drive.optional().describe('left out: as the task is driven'),
  callback_url: CallbackUrl.nullable().optional().describe('left out: as the task has it; null: nobody is told'),
})
export const ReplayTask = z.strictObject({})
const PLAN_ITEMS_MAX = 100
const TITLE_MAX = 500
const DETAIL_MAX = 2_000
export const EditPlan = z.strictObject({
  items: z
    .array(
      z.strictObject({
        id: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .describe('of an unfinished item; without it one of the same title, or a new one'),
        title: nonBlankText(TITLE_MAX),
        description: textUpTo(DETAIL_MAX).optional().describe('left out: as it was'),
        expected_output: textUpTo(DETAIL_MAX).nullable().optional().describe('left out: as it was'),
      }),
    )
    .max(PLAN_ITEMS_MAX)
    .describe('what takes the place of the items that are not finished, in order'),
})
/** Why a task keeps what was given for it. */
function fixedMember(name: string): string {
  if (Object.hasOwn(Settings.shape, name))
    return 'belongs in settings and cannot be changed: fork the task with other settings'
  if (name === 'settings' || Object.hasOwn(CreateTask.shape, name))
    return 'cannot be changed: make another task, or fork this one'
  return `is unknown${nameHint(name, CHANGEABLE)}; ${CHANGEABLE.join(', ')} can be changed`
}
const CHANGEABLE = ['drive', 'callback_url', 'metadata', 'title']
export const ChangeTask = z
  .looseObject({
    drive: Drive.optional().describe(
      'background: the service goes on with it; manual: it stops after the slice under way',
    ),
    callback_url: CallbackUrl.nullable().optional().describe('null: nobody is told any more'),
    metadata: Metadata.optional().describe('in place of all labels'),
    title: Title.nullable().optional().describe('null: none'),
  })
  .superRefine((change, issues) => {
    const names = Object.keys(change)
    for (const name of names.filter((one) => !CHANGEABLE.includes(one)).slice(0, 20))
      issues.addIssue({ code: 'custom', path: [name], message: fixedMember(name) })
    if (names.length === 0)
      issues.addIssue({ code: 'custom', path: [], message: `must name at least one of ${CHANGEABLE.join(', ')}` })
  })
  .meta({ description: 'what is to be changed, and nothing else', minProperties: 1 })
export const CancelTask = z.strictObject({})
export const PauseTask = z.strictObject({})
export const ResumeTask = z.strictObject({})
export const Redeliver = z.strictObject({})
export const TestWebhook = z.strictObject({
  url: CallbackUrl.describe('where the test delivery is sent, by the same rules as `callback_url`'),
})
export const RunCommand = z.strictObject({
  command: textUpTo(INPUT_MAX).describe('a slash command such as /todo list; see /help'),
  task_id: z.string().max(200).optional().describe('the task that the cancel phrase cancels'),
})

const VALUE_CHARS_MIN = 8
const VALUE_CHARS_MAX = 8_192
const SECRET_HOSTS_MAX = 20

/** A header, and a secret of OAuth (RFC 6749), has printable ASCII only. A shorter value could not be told from a word when it is blotted out. */
function valueError(value: string): string | null {
  if (/[\r\n]$/.test(value)) return 'must not end with a line break: leave it out'
  if (!/^[ -~]*$/.test(value)) return 'must have printable ASCII only: no line break, no control character, no accent'
  if (value !== value.trim()) return 'must not begin or end with a blank, because a header would lose it'
  if (value.toLowerCase().includes('secret:')) return 'must be the value itself, and not name a secret as secret:NAME'
  return null
}

const SecretHost = z.string().superRefine((host, issues) => {
  const read = readSecretHost(host)
  if (!read.ok) issues.addIssue({ code: 'custom', message: read.error })
})

/** Its errors say what is wrong with a value, and never repeat a part of it. */
export const PutSecret = z.strictObject({
  value: z
    .string()
    .min(VALUE_CHARS_MIN)
    .max(VALUE_CHARS_MAX)
    .superRefine((value, issues) => {
      const message = valueError(value)
      if (message !== null) issues.addIssue({ code: 'custom', message })
    })
    .meta({
      description: 'printable ASCII, as a header may carry it; it is never shown again',
      writeOnly: true,
    }),
  hosts: z
    .array(SecretHost)
    .refine(
      ({ length }) => length >= 1 && length <= SECRET_HOSTS_MAX,
      `must be a list of 1 to ${SECRET_HOSTS_MAX} hosts`,
    )
    .meta({
      description:
        'where the value may be sent: `host`, or `host:port` for this port only. No scheme, no path, no `*`; a sub-domain is another host',
      minItems: 1,
      maxItems: SECRET_HOSTS_MAX,
    }),
})
