/** The tools of the service, those of a task, and tools that are tried before there is a task. */
import type * as z from 'zod'
import { builtInList } from '../../core/protocol/view/task-tools.ts'
import type { TaskTools, ToolEntry, ToolTrial } from '../../core/shown/tool-view.ts'
import { nameHint, nameList } from '../../core/terms/values/known-names.ts'
import type { Caller } from '../../shell/caller.ts'
import { answerReply, endpoint, refusalReply, replayHeaders, replyTo, type Ports } from '../endpoint.ts'
import { addressesIn, addressRefusal } from '../gate/callback-address.ts'
import { configFor } from '../gate/caller-config.ts'
import { preferredLocale } from '../gate/language.ts'
import { secretRefusal } from '../gate/named-secrets.ts'
import { printableName } from '../shapes/pointers.ts'
import { ERRORS_MAX } from '../gate/text-safety.ts'
import { bodyOf, IDEMPOTENCY_PROBLEMS, jsonAnswer, ONE_TASK_ROUTE } from '../route-builders.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { CallTool, PreviewTools } from '../shapes/requests.ts'
import { clientToolsOf, documentFilePlaces, toolSourcesOf, type ToolEntries } from '../shapes/tools/entries.ts'

const TOOLS_ROUTE = { tag: 'Tools', open: false, params: NoParams, query: NoQuery, also: [] } as const

export const TOOL_ROUTES = {
  listTools: endpoint(
    {
      ...TOOLS_ROUTE,
      method: 'get',
      path: '/tools',
      summary: 'The built-in tools',
      description:
        'What the service itself offers to models, with the modes that offer it, and the kinds of tools that `tools` of `POST /tasks` takes beside it.',
      body: null,
      headers: [],
      success: jsonAnswer('The tools', 'ToolList'),
      problems: [],
    },
    async () => {
      const list = builtInList('en')
      return answerReply(list, () => list.data.map(({ name, modes }) => `${name}  ${modes.join(', ')}`))
    },
  ),
  previewTools: endpoint(
    {
      ...TOOLS_ROUTE,
      method: 'post',
      path: '/tools/preview',
      summary: 'What a task with these tools would offer',
      description:
        'Takes `tools` as `POST /tasks` does, lists every source once, and keeps nothing. A source that cannot be listed is `unavailable`, with ' +
        'the reason in its notes. All lists together have 60 s; a source whose turn does not come is `not_listed`.',
      body: bodyOf(PreviewTools, null, true),
      headers: [],
      success: jsonAnswer('The tools, and what became of each source', 'TaskTools'),
      problems: [],
    },
    async (ports, { caller, body, request }) => {
      const refusal = await toolsRefusal(ports, caller, body.tools)
      if (refusal !== null) return refusalReply(refusal)
      const previewed = await ports.service.previewTools(caller, namedTools(body, request))
      return replyTo(previewed, (tools) => answerReply(tools, () => linesOf(tools)))
    },
  ),
  callTool: endpoint(
    {
      ...TOOLS_ROUTE,
      method: 'post',
      path: '/tools/call',
      summary: 'Try a tool',
      description:
        'Calls one of these tools once, outside of any task, within 30 s. Whatever the tool or its server does is 200: `ok` says whether the call ' +
        'succeeded. Nobody is asked for approval, and no file is kept.',
      body: bodyOf(CallTool, null, true),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The result as a model would see it, or why the call is held', 'ToolTrial'),
      problems: [...IDEMPOTENCY_PROBLEMS, 'quota_exceeded'],
    },
    async (ports, { caller, body, request }) => {
      const { name } = body
      const refusal = await toolsRefusal(ports, caller, body.tools)
      if (refusal !== null) return refusalReply(refusal)
      const sent = { ...namedTools(body, request), name, input: JSON.stringify(body.arguments) }
      return replyTo(await ports.service.tryTool(caller, sent), (answered) => {
        if ('unknown' in answered) return refusalReply(unknownTool(name, answered.unknown))
        const { trial, replayed } = answered
        return answerReply(trial, () => trialLines(trial), replayHeaders(replayed))
      })
    },
  ),
  listTaskTools: endpoint(
    {
      ...ONE_TASK_ROUTE,
      method: 'get',
      path: '/tasks/{id}/tools',
      summary: 'The tools of a task',
      description:
        'What its model may call now, each with its schema and its origin, and what became of each source. The addresses of tools are never shown.',
      body: null,
      success: jsonAnswer('The tools', 'TaskTools'),
      problems: ['task_not_found', 'state_unreadable'],
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.listTaskTools(caller, params.id), (tools) => answerReply(tools, () => linesOf(tools))),
  ),
}

const linesOf = ({ data, sources }: TaskTools): string[] => [
  ...data.map(lineOf),
  ...sources.map(({ name, kind, state, notes }) => [name, kind, state, ...notes].join('  ')),
]

const lineOf = ({ name, origin, method }: ToolEntry): string =>
  [name, origin, ...(method === null ? [] : [method])].join('  ')

function trialLines(trial: ToolTrial): string[] {
  if (!('held' in trial)) return [`${trial.ok ? 'ok' : 'failed'}  ${trial.code}`, trial.text]
  const { held } = trial
  return held.kind === 'asked' ? ['held  asked', held.question.text] : ['held  outside', held.message ?? '']
}

const namedTools = ({ tools, locale }: z.output<typeof PreviewTools>, request: Request) => ({
  tools: clientToolsOf(tools),
  sources: toolSourcesOf(tools),
  locale: locale ?? preferredLocale(request) ?? ('en' as const),
})

/** null: a task could have these tools before it has any file. */
async function toolsRefusal(ports: Ports, caller: Caller, tools: ToolEntries): Promise<HttpRefusal | null> {
  const files = documentFilePlaces(tools).map((path) => ({
    pointer: `/${path.join('/')}`,
    message: `${path.join('.')} must be the address of the document: its file belongs to a task, and there is none here`,
  }))
  if (files.length > 0) return { code: 'validation_failed', errors: files.slice(0, ERRORS_MAX) }
  const config = await configFor(ports, caller)
  return (
    addressRefusal(config, caller.tenant, addressesIn({ tools })) ?? (await secretRefusal(ports.service, caller, tools))
  )
}

function unknownTool(name: string, known: readonly string[]): HttpRefusal {
  const which = known.length === 0 ? 'these tools have none' : `there are ${nameList(known)}`
  const message = `name must be one of the tools, not "${printableName(name)}"; ${which}${nameHint(name, known)}`
  return { code: 'validation_failed', errors: [{ pointer: '/name', message }] }
}
