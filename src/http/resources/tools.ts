/** The tools of the service, and those of a task. */
import { builtInList } from '../../core/protocol/view/task-tools.ts'
import type { ToolEntry } from '../../core/shown/tool-view.ts'
import { answerReply, endpoint, replyTo } from '../endpoint.ts'
import { jsonAnswer, ONE_TASK_ROUTE } from '../route-builders.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'

export const TOOL_ROUTES = {
  listTools: endpoint(
    {
      method: 'get',
      path: '/tools',
      tag: 'Service',
      open: false,
      summary: 'The built-in tools',
      description:
        'What the service itself offers to models, with the modes that offer it, and the kinds of tools that `tools` of `POST /tasks` takes beside it.',
      params: NoParams,
      query: NoQuery,
      body: null,
      headers: [],
      success: jsonAnswer('The tools', 'ToolList'),
      also: [],
      problems: [],
    },
    async () => {
      const list = builtInList('en')
      return answerReply(list, () => list.data.map(({ name, modes }) => `${name}  ${modes.join(', ')}`))
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
      replyTo(await service.listTaskTools(caller, params.id), (tools) =>
        answerReply(tools, () => [
          ...tools.data.map(lineOf),
          ...tools.sources.map(({ name, kind, state, notes }) => [name, kind, state, ...notes].join('  ')),
        ]),
      ),
  ),
}

const lineOf = ({ name, origin, method }: ToolEntry): string =>
  [name, origin, ...(method === null ? [] : [method])].join('  ')
