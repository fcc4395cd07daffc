/** Agents: put in versions, looked up, listed and deleted, and the tasks that they make (U58). */
import * as z from 'zod'
import type { AgentView } from '../../../core/shown/agent-view.ts'
import { AGENT_BYTES_MAX, readAgentRef, type AgentRef } from '../../../core/workspace/agents/agent.ts'
import { isResourceName, RESOURCE_NAME_RULE } from '../../../core/terms/values/resource-name.ts'
import { answerReply, emptyReply, endpoint, refusalReply, replyTo, type Reply } from '../../endpoint.ts'
import { agentCondition, matchesEtag } from '../../gate/etag.ts'
import { bodyOf, emptyAnswer, jsonAnswer } from '../../route-builders.ts'
import { NoParams, NoQuery, pageLimit, pageRange, TaskAnswerQuery } from '../../shapes/fields.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import { CreateAgentTask, PutAgent } from '../../shapes/task-requests.ts'
import { CREATE_ROUTE, createReply } from '../tasks/tasks.ts'

const AgentParams = z.object({
  name: z.string().meta({ description: `the name of the agent: ${RESOURCE_NAME_RULE}`, maxLength: 64 }),
})
const AgentRefParams = z.object({
  name: z
    .string()
    .meta({ description: 'the name of the agent for its newest version, or `name@version`', maxLength: 80 }),
})
const AgentsQuery = z.strictObject({
  limit: pageLimit,
  after: z.string().max(64).default('').describe('next_cursor of the page before: the name of its last agent'),
})
const VersionsQuery = z.strictObject(pageRange)
const DeleteQuery = z.strictObject({
  force: z.boolean().default(false).describe('true: also while tasks of it are open; they keep what it said'),
})

const AGENTS_ROUTE = { tag: 'Agents', open: false, query: NoQuery, body: null, headers: [], also: [] } as const
const AGENT_ROUTE = {
  ...AGENTS_ROUTE,
  path: '/agents/{name}',
  params: AgentParams,
  problems: ['agent_not_found'],
} as const
const TAG_HEADER = { ETag: 'of this version, for If-Match' }

const text = () => import('../../text/agent-text.ts')
const agentReply = (agent: AgentView) =>
  answerReply(agent, async () => (await text()).agentText(agent), { etag: agent.etag })

const invalidName = (message: string): HttpRefusal => ({
  code: 'validation_failed',
  errors: [{ pointer: '/name', message }],
})
const nameRefusal = (name: string): HttpRefusal | null =>
  isResourceName(name) ? null : invalidName(`name must be ${RESOURCE_NAME_RULE}`)

/** Answers by the agent that a path names, or refuses the name. */
async function withRef(name: string, reply: (ref: AgentRef) => Promise<Reply>): Promise<Reply> {
  const ref = readAgentRef(name)
  const message = `name must be ${RESOURCE_NAME_RULE}, maybe with @ and a version, such as support@3`
  return ref === null ? refusalReply(invalidName(message)) : reply(ref)
}

/** A definition is stored, and read again with each task. */
function sizeRefusal(definition: unknown): HttpRefusal | null {
  const bytes = new TextEncoder().encode(JSON.stringify(definition)).byteLength
  if (bytes <= AGENT_BYTES_MAX) return null
  const message = `the agent must have at most ${AGENT_BYTES_MAX} bytes as JSON, not ${bytes}`
  return { code: 'validation_failed', errors: [{ pointer: '', message }] }
}

export const AGENT_ROUTES = {
  putAgent: endpoint(
    {
      ...AGENT_ROUTE,
      method: 'put',
      summary: 'Put an agent',
      description:
        'Instructions, mode, tools, settings with models, budget and approvals, and the schemas of input and result, under a name. It is checked ' +
        'as POST /tasks checks a task. Each body that differs from the newest version is the next version; the same body again changes ' +
        'nothing. The newest 100 versions are kept. With `If-Match` it is put only if the newest version has that tag, with ' +
        '`If-None-Match: *` only if there is no such agent.',
      body: bodyOf(PutAgent, null, true),
      headers: ['If-Match', 'If-None-Match'],
      success: jsonAnswer('A new agent', 'Agent', 201, { ...TAG_HEADER, Location: 'the path of the agent' }),
      also: [jsonAnswer('Its next version, or the newest one, which says the same', 'Agent', 200, TAG_HEADER)],
      problems: ['agent_changed', 'too_many_agents', 'llm_not_configured', 'model_not_budgetable', 'quota_exceeded'],
    },
    async (ports, { caller, params, body, request }) => {
      const { name } = params
      const refusal =
        nameRefusal(name) ??
        sizeRefusal(body) ??
        (await (await import('./agent-check.ts')).definitionRefusal(ports, caller, name, body))
      if (refusal !== null) return refusalReply(refusal)
      const put = await ports.service.putAgent(
        caller,
        { name, definition: { ...body } },
        agentCondition(request.headers),
      )
      return replyTo(put, ({ agent, change }) => {
        const reply = agentReply(agent)
        if (change !== 'first') return reply
        return { ...reply, status: 201, headers: { ...reply.headers, location: `/agents/${name}` } }
      })
    },
  ),
  getAgent: endpoint(
    {
      ...AGENT_ROUTE,
      method: 'get',
      params: AgentRefParams,
      summary: 'One agent',
      description: 'Its newest version, or the one that the path names: `/agents/support@3`.',
      headers: ['If-None-Match'],
      success: jsonAnswer('The agent', 'Agent', 200, TAG_HEADER),
      also: [emptyAnswer(304, 'It is the version you have', TAG_HEADER)],
    },
    async ({ service }, { caller, params, request }) =>
      withRef(params.name, async (ref) =>
        replyTo(await service.getAgent(caller, ref), (agent) =>
          // An earlier version says which one is the newest by now.
          agent.version === agent.latest && matchesEtag(request.headers.get('if-none-match'), agent.etag)
            ? { kind: 'empty', status: 304, headers: { etag: agent.etag } }
            : agentReply(agent),
        ),
      ),
  ),
  listAgentVersions: endpoint(
    {
      ...AGENT_ROUTE,
      method: 'get',
      path: '/agents/{name}/versions',
      summary: 'List the versions of an agent',
      description: 'Newest first, each with its whole definition.',
      query: VersionsQuery,
      success: jsonAnswer('One page of versions', 'AgentPage'),
    },
    async ({ service }, { caller, params, query }) =>
      replyTo(await service.listAgentVersions(caller, params.name, query), (page) =>
        answerReply(page, async () => (await text()).agentsText(page)),
      ),
  ),
  deleteAgent: endpoint(
    {
      ...AGENT_ROUTE,
      method: 'delete',
      summary: 'Delete an agent',
      description:
        'With all its versions; an agent that is put under the name later begins at version 1. Refused while tasks that it has made are ' +
        'open, unless `force` is true. Its tasks stay, and keep what it said. A schedule that names it is refused at its next tick.',
      query: DeleteQuery,
      headers: ['If-Match'],
      success: emptyAnswer(204, 'It is gone'),
      problems: ['agent_not_found', 'agent_in_use', 'agent_changed'],
    },
    async ({ service }, { caller, params, query, request }) =>
      emptyReply(await service.deleteAgent(caller, params.name, query.force, agentCondition(request.headers))),
  ),
  createAgentTask: endpoint(
    {
      ...CREATE_ROUTE,
      tag: 'Agents',
      path: '/agents/{name}/tasks',
      params: AgentRefParams,
      query: TaskAnswerQuery,
      summary: 'Make a task by an agent',
      description:
        'As `POST /tasks` with this `agent`: its newest version, or the one that the path names (`/agents/support@3/tasks`). As plain text or a ' +
        'form the body is the goal, in place of that of the agent; files come as they do there.',
      body: { ...bodyOf(CreateAgentTask, 'goal', false), files: true },
      also: [],
    },
    async (ports, call) =>
      withRef(call.params.name, () =>
        createReply(ports, {
          ...call,
          query: { ...call.query, dry_run: false },
          body: { ...call.body, agent: call.params.name },
        }),
      ),
  ),
  listAgents: endpoint(
    {
      ...AGENTS_ROUTE,
      method: 'get',
      path: '/agents',
      summary: 'List the agents',
      description: 'By name, each in its newest version.',
      params: NoParams,
      query: AgentsQuery,
      success: jsonAnswer('One page of agents', 'AgentPage'),
      problems: [],
    },
    async ({ service }, { caller, query }) =>
      replyTo(await service.listAgents(caller, query), (page) =>
        answerReply(page, async () => (await text()).agentsText(page)),
      ),
  ),
}
