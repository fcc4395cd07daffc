/** Chat completions, as the table of hostile replies has them. */
import { listOf, memberOf, toolIn, type Tongue } from './tongue.ts'

export const CHAT: Tongue = {
  wire: 'chat',
  say: (completion) => completion,
  refuse: (error) => ({ error }),
  hear: ({ response_format, max_tokens, max_completion_tokens, tools }) => ({
    form: String(memberOf(response_format, 'type') ?? 'text'),
    cap: Number(max_tokens ?? max_completion_tokens),
    tools: listOf(tools).map((tool) => toolIn(memberOf(tool, 'function'))),
  }),
  fates: {},
}
