/** The description of the whole service in openapi.yaml, and the groups of its routes. */
import { PROBLEMS } from '../../src/http/shapes/problems.ts'

export const infoOf = (version) => ({
  title: 'loop-agent',
  version,
  summary: 'A budgeted agent loop over plain HTTP',
  description:
    'Post a goal; it is planned and worked off one bounded slice per request. Bodies are JSON in snake_case, unknown ' +
    'fields are refused. `Accept: text/plain` gives the same facts as short lines. Every refusal is a problem document ' +
    `(RFC 9457) whose \`code\` is stable. Its title and detail are Chinese for \`Accept-Language: zh\`, and it is text where \`Accept: text/plain\` prefers that. The codes:\n\n${Object.entries(
      PROBLEMS,
    )
      .map(([code, [status, , meaning]]) => `- \`${code}\` (${status}): ${meaning}`)
      .join('\n')}`,
  contact: { name: 'loop-agent' },
  license: { name: 'MIT', identifier: 'MIT' },
})
export const TAGS = [
  { name: 'Tasks', description: 'Goals and their work' },
  { name: 'History', description: 'What a task did' },
  { name: 'Files', description: 'Data for a task, and what it makes of it' },
  { name: 'Tools', description: 'What models may call, and tools that are tried before a task has them' },
  { name: 'Secrets', description: 'What tools authenticate themselves with: put, and never read again' },
  { name: 'Agents', description: 'Definitions of tasks under a name, in versions' },
  { name: 'Schedules', description: 'Tasks that are made at times, by cron expressions or intervals' },
  { name: 'Webhooks', description: 'What callbacks were not told in time' },
  { name: 'Answers', description: 'Questions, answered by a link' },
  { name: 'Delegations', description: 'Commands for workers outside, and their reports' },
  { name: 'Commands', description: 'Slash commands, without a model' },
  { name: 'Administration', description: 'Tenants, their keys, and the log of who changed them' },
  { name: 'Service', description: 'Health and contract' },
]
