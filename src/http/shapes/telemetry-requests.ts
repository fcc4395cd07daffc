/** What is asked about usage and about where spans go. */
import * as z from 'zod'
import { nameHint, nameList } from '../../core/terms/values/known-names.ts'
import { USAGE_DAYS, USAGE_GROUPS, type UsageGroup } from '../../core/terms/values/usage-sums.ts'
import { ADDRESS_CHARS_MAX } from '../../shell/network/address.ts'
import { textUpTo } from './fields.ts'
import { SourceHeaders } from './tools/tool-fields.ts'

const Day = z.iso.date({ error: 'must be a day such as 2026-03-31' }).optional()

const isGroup = (name: string): name is UsageGroup => USAGE_GROUPS.some((group) => group === name)
const Groups = z
  .string()
  .max(64)
  .default('day')
  .describe(`what is summed apart: ${USAGE_GROUPS.join(', ')}, with commas between them`)
  .superRefine((text, issues) => {
    const names = text.split(',').map((name) => name.trim())
    const unknown = names.find((name) => !isGroup(name))
    if (unknown !== undefined) {
      const message = `must be of ${nameList(USAGE_GROUPS)}, with commas between them${nameHint(unknown, USAGE_GROUPS)}`
      issues.addIssue({ code: 'custom', message })
    } else if (new Set(names).size < names.length) issues.addIssue({ code: 'custom', message: 'must name each once' })
  })

export const UsageQuery = z.strictObject({
  from: Day.describe('the first UTC day; 29 days before `to` when left out'),
  to: Day.describe(`the last UTC day, which is included; today when left out. A range has at most ${USAGE_DAYS} days`),
  group_by: Groups,
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('the tenant; only the holder of `ADMIN_KEY` may name one, and has to'),
})

/** The parts of `group_by`, which the schema has checked. */
export const groupsIn = (text: string): UsageGroup[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(isGroup)

export const PutReceiver = z.strictObject({
  endpoint: textUpTo(ADDRESS_CHARS_MAX).meta({
    format: 'uri',
    description: 'the whole address that spans are posted to, such as `https://otlp.example.com/v1/traces`',
  }),
  protocol: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  headers: SourceHeaders.default({}).describe(
    'sent with each request; a value may name a secret of the tenant: `Bearer secret:NAME`',
  ),
  capture_content: z.boolean().default(false).describe('whether prompts and results are sent too'),
})
