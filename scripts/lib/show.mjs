/** Prints the requests and answers of the demo: the curl line that a person would type, then the answer in a few lines. */

const WIDTH = 200
const oneLine = (text) => {
  const line = String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}
const counted = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a line for a shell. */
export function curlLine(url, { method = 'GET', key, body }) {
  const parts = [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    /[?&]/.test(url) ? quoted(url) : url,
    `-H 'Authorization: Bearer ${key}'`,
  ]
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`)
  return `$ ${parts.join(' ')}`
}

const MARKS = { completed: 'x', running: '>', failed: '!', skipped: '-', pending: ' ' }
export function planLines({ plan }) {
  const items = plan.items.map(
    (item, index) => `    [${MARKS[item.status] ?? '?'}] ${index + 1}. ${oneLine(item.title)}`,
  )
  return [`  plan, revision ${plan.revision}:`, ...items]
}

/** One line for each kind of event that a person wants to read; other events are shown by name. */
const EVENTS = {
  task_created: () => null,
  plan_created: () => null,
  item_started: ({ title }) => `  item      ${oneLine(title)}`,
  item_completed: ({ title }) => `  item done ${oneLine(title)}`,
  thought_decided: ({ phase, decision, text }) =>
    `  ${String(phase ?? 'thought').padEnd(9)} ${decision}: ${oneLine(text)}`,
  llm_thinking: ({ thinking, is_real }) => `  ${is_real ? 'thinks   ' : 'says     '} ${oneLine(thinking)}`,
  tasks_updated: () => null,
  report_generated: () => '  report    written',
  command_dispatched: ({ command_type }) => `  command   ${command_type}`,
  report_received: ({ report }) => `  report    ${oneLine(report?.status)}: ${oneLine(report?.text)}`,
  action_started: ({ tool, input }) => `  action    ${tool}: ${oneLine(input)}`,
  action_finished: ({ ok, text }) => `  ${ok ? 'result   ' : 'FAILED   '} ${oneLine(text)}`,
  plan_replanned: ({ items }) => `  replanned ${counted(items?.length ?? 0, 'item')}`,
  clarification_requested: ({ question }) => `  question  ${oneLine(question)}`,
  clarification_answered: ({ answer }) => `  answer    ${oneLine(answer)}`,
  contract_failed: ({ phase, reason }) => `  FAILED    reply of ${phase}: ${oneLine(reason)}`,
}

export function eventLines({ slice }) {
  const lines = (slice?.events ?? []).map(({ type, payload }) => {
    const show = EVENTS[type]
    return show === undefined ? `  ${type.replaceAll('_', ' ')}` : show(payload)
  })
  return lines.filter((line) => line !== null)
}

/** The state of the task after a request. */
export function stateLine({ status, stop_reason, budget, plan }) {
  const why = stop_reason === null ? '' : ` (${stop_reason})`
  const { used, max, unit, remaining } = budget
  const { cursor, items } = plan
  const place = cursor < items.length ? `item ${cursor + 1} of ${items.length}` : 'no open item'
  // The unit of the contract is a plural: steps, iterations, …
  return `  => ${status}${why} · ${place} · budget ${used}/${counted(max, unit.replace(/s$/, ''))}, ${remaining} left`
}

/** Why a task stopped short of its goal, for the exit of the demo. */
export function reasonOf({ status, stop_reason, error, handover }) {
  return [`the task is ${status}`, stop_reason, error?.detail, handover?.unfinished_reason].filter(Boolean).join('; ')
}
