/** The tools for todos and events: what the model is told about each. They do what slash commands do (core/workspace/commands). */
import type { Locale } from '../terms/locale.ts'
import {
  COMMAND_TOOL_NAMES,
  toolParameters,
  toolSignature,
  type CommandToolName,
} from '../workspace/commands/tool-call/forms.ts'

type Nature = 'reads' | 'acts'
interface Told {
  nature: Nature
  description: Record<Locale, string>
}
const told = (nature: Nature, en: string, zh: string): Told => ({ nature, description: { en, zh } })

const TOLD: Record<CommandToolName, Told> = {
  add_todo: told(
    'acts',
    'Adds a thing to do. A smaller priority is more urgent, and 0 is the default; remind only with due; tag is one word.',
    '添加一条待办。priority 越小越紧急，默认 0；有 due 时才可给 remind；tag 为一个词。',
  ),
  update_todo: told('acts', 'Changes a todo. What is left out stays.', '修改一条待办，未给出的项保持不变。'),
  complete_todo: told('acts', 'Marks a todo as done.', '将一条待办标为完成。'),
  delete_todo: told('acts', 'Deletes a todo.', '删除一条待办。'),
  list_todos: told(
    'reads',
    'Lists todos with their ids. inbox has those without due, upcoming those of the next 7 days; search finds a part of the text.',
    '列出待办及其编号。inbox 为没有 due 的，upcoming 为未来 7 天的；search 按内容的一部分查找。',
  ),
  add_event: told(
    'acts',
    'Adds an event to the calendar; nothing is stored if it overlaps another one. 60 minutes if duration_minutes is left out. repeat: every 1 days is daily; times counts the first one, left out it never ends. remind comes before each repetition.',
    '向日历添加一个日程；与其他日程重叠则不保存。不给 duration_minutes 为 60 分钟。repeat：every 1、unit days 即每天；times 含首次，不给则无限重复。每次重复前都会按 remind 提醒。',
  ),
  update_event: told(
    'acts',
    'Changes an event. What is left out stays; stop_repeat ends its repetition.',
    '修改一个日程，未给出的项保持不变；stop_repeat 结束其重复。',
  ),
  delete_event: told('acts', 'Deletes an event with all its repetitions.', '删除一个日程，包括其全部重复。'),
  list_events: told(
    'reads',
    'Lists events with their ids: the day, week or month of date, which is today if left out; without both, what is near.',
    '列出日程及其编号：date 所在的日、周或月，不给 date 即为今天；两者都不给则列出近期日程。',
  ),
}

export const COMMAND_TOOLS: readonly CommandToolName[] = COMMAND_TOOL_NAMES

export const WORKSPACE_TOOLS = COMMAND_TOOL_NAMES.map((name) => ({
  name,
  idempotent: true,
  ...TOLD[name],
  parameters: toolParameters(name),
  signature: toolSignature(name),
  text: null,
}))
