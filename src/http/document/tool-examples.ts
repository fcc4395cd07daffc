/** The examples of tools in openapi.yaml. Only the document and the tests import them. */
import type { TaskTools, ToolList, ToolTrial } from '../../core/shown/tool-view.ts'

const TOOLS_EXAMPLE: ToolList = {
  data: [
    {
      name: 'internet_search',
      description: 'Searches the web.',
      parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      modes: ['plan_execute', 'dynamic', 'session'],
      read_only: true,
    },
  ],
  sources: ['signed', 'http', 'mcp', 'openapi'],
}

const TASK_TOOLS_EXAMPLE: TaskTools = {
  data: [
    {
      name: 'tickets.create',
      description: 'Makes a ticket.',
      parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      origin: 'mcp',
      source: 'tickets',
      method: null,
      repeatable: false,
      read_only: false,
      destructive: false,
    },
  ],
  sources: [
    { name: 'tickets', kind: 'mcp', state: 'listed', tools: 1, changed: false, digest: '9f86d081884c7d65', notes: [] },
  ],
}

const NAMED_TOOLS = [{ mcp: 'https://tickets.example.com/mcp', headers: { authorization: 'Bearer secret:tickets' } }]
const TRIAL_EXAMPLE: ToolTrial = { ok: true, code: 'success', text: '{"number":7}' }

export const TOOL_EXAMPLES = {
  listTools: { answer: TOOLS_EXAMPLE },
  previewTools: { request: { tools: NAMED_TOOLS }, answer: TASK_TOOLS_EXAMPLE },
  callTool: {
    request: { tools: NAMED_TOOLS, name: 'tickets.create', arguments: { title: 'The printer is out of paper' } },
    answer: TRIAL_EXAMPLE,
  },
  listTaskTools: { answer: TASK_TOOLS_EXAMPLE },
}
