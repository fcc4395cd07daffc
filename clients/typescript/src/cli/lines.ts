/** What a person reads of a task: lines for its events, for what it waits for, and for what it has come to. */
import { hasEnded, type Event, type Task, type TaskEntry } from '../types.ts'
import { clean, oneLine } from './text.ts'

/** The lines of an event; none for what is told elsewhere. */
export function eventLines(event: Event): string[] {
  switch (event.type) {
    case 'plan_created':
    case 'plan_replanned':
    case 'plan_adjusted':
    case 'plan_edited':
      return [event.type === 'plan_created' ? 'Plan' : 'New plan', ...planLines(event.payload.items)]
    case 'tasks_updated':
      return ['Plan', ...event.payload.tasks.map(({ id, name, status }) => `  ${id}. ${oneLine(name)} (${status})`)]
    case 'item_started': {
      const { index, total, title } = event.payload
      return [`Step ${index + 1}${total === undefined ? '' : `/${total}`}: ${oneLine(title)}`]
    }
    case 'item_completed':
      return [`${event.payload.skipped === true ? 'Skipped' : 'Finished'}: ${oneLine(event.payload.title)}`]
    case 'item_failed':
      return [`Failed: ${oneLine(event.payload.title)}`]
    case 'thought_decided':
      return [`Thought (${event.payload.decision}): ${oneLine(event.payload.text)}`]
    case 'llm_thinking':
      return event.payload.is_real ? [`Thought: ${oneLine(event.payload.thinking)}`] : []
    case 'action_started':
      return [`Calls ${oneLine(event.payload.tool)}: ${oneLine(event.payload.input)}`]
    case 'action_finished':
      return [
        `${oneLine(event.payload.tool)} ${event.payload.ok ? 'answers' : 'fails'}: ${oneLine(event.payload.text)}`,
      ]
    case 'action_waiting':
      return [`${oneLine(event.payload.tool)} works on outside: ${oneLine(event.payload.message ?? '')}`]
    case 'command_dispatched':
      return [`A command was handed out to workers: ${oneLine(event.payload.delegation_id)}`]
    case 'contract_failed':
      return [`The reply of the model was no use: ${oneLine(event.payload.reason)}`]
    case 'budget_exhausted':
      return [`The budget is used up: ${event.payload.axis}, ${event.payload.used} of ${event.payload.max}`]
    case 'tools_unavailable':
      return [`Tools are missing: ${oneLine(event.payload.source)}: ${oneLine(event.payload.reason)}`]
    default:
      return []
  }
}

const planLines = (items: readonly { title: string }[]) =>
  items.map(({ title }, index) => `  ${index + 1}. ${oneLine(title)}`)

/** One event in a list of events. */
export function tailLine(event: Event): string {
  const told = eventLines(event).map((line) => line.trim())
  return [event.seq, clean(event.at), clean(event.type), told.join(' ')].join('  ').trimEnd()
}

export const headingOf = ({ id, mode, drive }: Task) => `${clean(id)}  ${mode}  ${drive}`

/** What the task has come to, or what it waits for. */
export function endLines(task: Task): string[] {
  const { status, stop_reason, result, error, handover } = task
  const outcome = result?.outcome ?? null
  const reason = stop_reason === null || stop_reason === status || stop_reason === 'done' ? '' : ` (${stop_reason})`
  const lines = [`${status}${reason}${outcome === null ? '' : `: ${outcome}`}`]
  if (result !== null && result.text !== '') lines.push('', clean(result.text))
  for (const { item, reason: why } of result?.unmet ?? []) lines.push(`Not reached: ${oneLine(item)}: ${oneLine(why)}`)
  for (const { name } of result?.artifacts ?? []) lines.push(`File: ${oneLine(name)}`)
  if (error !== null) lines.push(`${error.code}: ${clean(error.detail)}`)
  if (handover !== null && !hasEnded(task)) lines.push(clean(handover.text))
  return [...lines, ...waitLines(task)]
}

/** What the task asks of a person. */
export function waitLines({ pending }: Task): string[] {
  switch (pending?.kind) {
    case 'question':
      return ['', clean(pending.prompt), ...(pending.choices ?? []).map((choice) => `  - ${oneLine(choice)}`)]
    case 'approval':
      return ['', approvalText(pending.action)]
    case 'file':
      return ['', clean(pending.prompt)]
    default:
      return []
  }
}

const approvalText = (action: { tool: string; input: string } | null) =>
  action === null
    ? 'The plan waits for approval: yes, no, or what is to be different.'
    : `${oneLine(action.tool)} waits for approval: ${oneLine(action.input)}`

/** The command that lets the task go on; null: none does. */
export function nextCommand({ id, status, pending }: Task): string | null {
  if (status === 'paused') return `loop answer ${clean(id)} continue`
  if (status !== 'input_required') return null
  if (pending?.kind === 'file') return `loop put ${clean(id)} ${clean(pending.name ?? 'FILE')}`
  return `loop answer ${clean(id)} ${pending?.kind === 'approval' ? 'yes' : '"…"'}`
}

export function listLine({ id, status, result, budget, title, goal }: TaskEntry): string {
  const used = `${budget.used}/${budget.max}`
  return [clean(id), status, result?.outcome ?? '-', used, oneLine(title ?? goal, 80)].join('  ')
}
