/** The examples of the routes about what clients keep under a name: agents and secrets. */
import { onlyPage } from './delegation-examples.ts'
import type { AgentView } from '../../core/shown/agent-view.ts'
import type { SecretView } from '../../core/shown/secret-view.ts'

const DEFINITION = {
  description: 'Sorts tickets of customers',
  mode: 'dynamic',
  goal: 'Sort the ticket of {{customer}}.',
  instructions: 'You sort tickets. Never promise a refund.',
  settings: { max_steps: 8, max_cost_usd: '0.05' },
  input_schema: {
    type: 'object',
    properties: { customer: { type: 'string' }, ticket: { type: 'string' } },
    required: ['customer', 'ticket'],
  },
  output_schema: {
    type: 'object',
    properties: { topic: { type: 'string', enum: ['bill', 'fault', 'other'] }, urgent: { type: 'boolean' } },
    required: ['topic', 'urgent'],
  },
}

export const AGENT_EXAMPLE: AgentView = {
  name: 'support',
  version: 3,
  latest: 3,
  etag: '"3;5f1c9a7be2d04836"',
  definition: DEFINITION,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
}
const FIRST_EXAMPLE: AgentView = {
  ...AGENT_EXAMPLE,
  version: 1,
  latest: 1,
  etag: '"1;c40b6a91d7e8f253"',
  updated_at: AGENT_EXAMPLE.created_at,
}

export const AGENT_INPUT_EXAMPLE = { customer: 'Ada', ticket: 'My bill of May came twice.' }

export const AGENT_EXAMPLES = {
  putAgent: { request: DEFINITION, answer: FIRST_EXAMPLE, also: { 200: AGENT_EXAMPLE } },
  getAgent: { answer: AGENT_EXAMPLE },
  listAgents: { answer: onlyPage(AGENT_EXAMPLE) },
  listAgentVersions: { answer: onlyPage(AGENT_EXAMPLE) },
}

export const SECRET_EXAMPLE: SecretView = {
  name: 'orders',
  hosts: ['api.example.com'],
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
  last_used_at: null,
}

export const SECRET_EXAMPLES = {
  putSecret: {
    request: { value: 'sk-4f0c2b71d8', hosts: ['api.example.com'] },
    answer: SECRET_EXAMPLE,
    also: { 200: SECRET_EXAMPLE },
  },
  getSecret: { answer: SECRET_EXAMPLE },
  listSecrets: { answer: onlyPage(SECRET_EXAMPLE) },
}
