/** The agents of the console: what the forms send. */
import { describe, expect, it } from 'vitest'
import {
  agentPath,
  agentTaskRequest,
  draftOfAgent,
  inputTextFor,
  modeOfAgent,
  nameOfRef,
  putAgentRequest,
} from '../../src/console/views/agents/agent-draft.ts'
import { TASK_DEFAULTS } from '../../src/http/shapes/task-requests.ts'

const AT = '2026-11-28T08:00:00.000Z'
const agent = (definition: Record<string, unknown>) => ({
  name: 'shopper',
  version: 2,
  latest: 3,
  etag: '"2-a"',
  definition,
  created_at: AT,
  updated_at: AT,
})

describe('a definition', () => {
  it('U62 goes out as it was typed', () => {
    expect(putAgentRequest({ name: 'shopper', definition: '{"goal": "buy {{what}}"}' })).toEqual({
      method: 'PUT',
      path: '/agents/shopper',
      json: { goal: 'buy {{what}}' },
    })
  })
  it.each(['', '{', '[]', 'null', '"a"'])('U62 that is %j is no object, and is not sent', (definition) => {
    expect(putAgentRequest({ name: 'shopper', definition })).toBeNull()
  })
  it('U62 that is put again unchanged is the same', () => {
    const shown = agent({ instructions: 'Be brief.', settings: { max_steps: 10 } })
    expect(putAgentRequest(draftOfAgent(shown))?.json).toEqual(shown.definition)
  })
})

describe('the mode', () => {
  it('U62 is that of the definition, or the default of the service', () => {
    expect(modeOfAgent(agent({ mode: 'session' }))).toBe('session')
    expect(modeOfAgent(agent({}))).toBe(TASK_DEFAULTS.mode)
  })
})

describe('a task of an agent', () => {
  it('U62 is made by the version that the address names', () => {
    expect(agentTaskRequest('shopper@2', '{"what": "milk"}')).toEqual({
      method: 'POST',
      path: '/agents/shopper%402/tasks',
      json: { input: { what: 'milk' } },
    })
    expect(agentPath('shopper', '/versions')).toBe('/agents/shopper/versions')
    expect(['shopper', 'shopper@2'].map(nameOfRef)).toEqual(['shopper', 'shopper'])
  })
  it('U62 has no input where none is typed, and is not sent with what is no object', () => {
    expect(agentTaskRequest('shopper', ' ')?.json).toEqual({})
    expect(agentTaskRequest('shopper', '[1]')).toBeNull()
    expect(agentTaskRequest('shopper', 'milk')).toBeNull()
  })
  it('U62 begins with the members that the agent asks for', () => {
    const input_schema = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] }
    expect(JSON.parse(inputTextFor(agent({ input_schema })))).toEqual({ what: '' })
    expect(inputTextFor(agent({ input_schema: null }))).toBe('')
    expect(inputTextFor(agent({}))).toBe('')
  })
})
