/** Fields and parameters that the schemas of several resources share. */
import * as z from 'zod'
import { isTimeZone } from '../../config.ts'
import { microDollars, USD } from '../../core/terms/money.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'

/** Characters are code points, as in JSON Schema. The first test avoids counting a text that is far too long. */
const hasAtMost = (max: number) => (text: string) =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max)
const lengthError = (max: number) => ({ error: `must have at most ${max} characters` })

/** A text that is not blank, without the white space around it. */
export const nonBlankText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .refine(hasAtMost(max), lengthError(max))
    .meta({ maxLength: max })
export const textUpTo = (max: number) => z.string().refine(hasAtMost(max), lengthError(max)).meta({ maxLength: max })

const TASK_ID = /^task_[A-Za-z0-9_-]{16,64}$/
export const isTaskId = (text: string) => TASK_ID.test(text)

export const NoParams = z.object({})
export const TaskParams = z.object({ id: z.string().regex(TASK_ID).meta({ description: 'the id of the task' }) })
export const LinkParams = z.object({
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,1024}$/)
    .meta({ description: 'as `answer_url` has it; it is a key, so keep it out of logs' }),
})

export const NoQuery = z.strictObject({})
/** The query of each route whose answer shows a task. */
export const TaskAnswerQuery = z.strictObject({
  include: z
    .enum(['settings'])
    .optional()
    .describe('`settings`: all settings of the task, also those that its mode does not heed'),
})
export const pageLimit = z.int().min(1).max(100).default(20).describe('entries of a page')
/** The query of a page whose cursor is a number. */
export const pageRange = {
  limit: pageLimit,
  after: z.int().min(0).default(0).describe('next_cursor of the page before'),
}
export const SeqQuery = z.strictObject({
  limit: pageLimit,
  after: z.int().min(0).default(0).describe('only entries with a greater seq'),
})
/** The rule of names of files, as messages say it. */
export const FILE_NAME_RULE = '1 to 128 letters, digits, ".", "_" or "-", and not "." or ".."'
export const linkToken = z
  .string()
  .max(1_000)
  .optional()
  .describe('of the link that answers of the task carry, instead of a key')

/** The longest names of IANA have half of this. */
const ZONE_CHARS_MAX = 64
export const TimeZone = textUpTo(ZONE_CHARS_MAX).superRefine((name, issues) => {
  if (isTimeZone(name)) return
  const hint = nameHint(name, Intl.supportedValuesOf('timeZone'))
  issues.addIssue({ code: 'custom', message: `must be an IANA time zone such as Europe/Berlin${hint}` })
})
export const PositiveUsd = z
  .string()
  .regex(USD)
  .refine((usd) => microDollars(usd) > 0, 'must be above 0')
