/** The form that sends a text to the task. The help of the field says what becomes of the text in the current status. */
import { useState } from 'preact/hooks'
import { taskPath, post } from '../../../api/request.ts'
import type { CommandResult } from '../../../api/wire.ts'
import { CommandAnswer } from '../../../parts/command-answer.tsx'
import { UnsentText } from '../../../parts/unsent-text.tsx'
import { handleSubmit, TextAreaField } from '../../../parts/form.tsx'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { taskDraftKey, useDraft } from '../../../state/drafts.ts'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { CONTROLS } from '../focus-onward.ts'
import { useTask, useTaskAction } from '../task-context.tsx'
import type { InputUse } from './offers.ts'

const WORDS = wordTable({
  say: ['Say something', '对任务说'],
  send: ['Send', '发送'],
  sent: ['The service has taken it.', '服务已收到。'],
  answered: ['The command has answered:', '命令的回答：'],
  empty: ['Type something first.', '请先输入内容。'],
  onlyCommands: [
    'Here only a command that begins with “/”: the answer belongs into the form above.',
    '这里只接受以“/”开头的命令，回答请填写在上方表单中。',
  ],
  unsaid: ['The task has ended. What you typed was not sent:', '任务已结束，您输入的内容没有发送：'],
  help: [
    {
      remark: 'A remark: the task looks at its plan again. A text that begins with “/” is a command.',
      remark_for_report: 'A remark: kept until the report is evaluated. A text that begins with “/” is a command.',
      remark_and_resume: 'A remark: the task takes it in and goes on. A text that begins with “/” is a command.',
      remark_for_budget: 'A remark: kept; it does not grant more budget. A text that begins with “/” is a command.',
      remark_for_start: 'A remark: kept until the task begins. A text that begins with “/” is a command.',
      side_turn: 'Answered beside the plan, which stays paused. A text that begins with “/” is a command.',
      next_run: 'Begins the next run of the session. A text that begins with “/” is a command.',
      command: 'A command that begins with “/” runs beside the open question, which stays open.',
    },
    {
      remark: '作为补充说明，任务会重新审视计划。以“/”开头的是命令。',
      remark_for_report: '作为补充说明，保留到评估报告时使用。以“/”开头的是命令。',
      remark_and_resume: '作为补充说明，任务会采纳并继续。以“/”开头的是命令。',
      remark_for_budget: '作为补充说明保留，不会增加预算。以“/”开头的是命令。',
      remark_for_start: '作为补充说明，保留到任务开始时使用。以“/”开头的是命令。',
      side_turn: '单独回答，计划保持暂停。以“/”开头的是命令。',
      next_run: '开始会话的下一轮。以“/”开头的是命令。',
      command: '以“/”开头的命令会单独执行，问题保持待答。',
    },
  ],
})

/** The key of the draft. */
export const remarkDraftKey = (task: string) => taskDraftKey(task, 'say')

/** The typed text of a task that takes no text any more. */
export function UnsentRemark() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { value: text, clear } = useDraft(remarkDraftKey(task.id), '')
  const dismiss = () => {
    clear()
    document.getElementById(CONTROLS)?.focus()
  }
  return text.trim() === '' ? null : <UnsentText why={words.unsaid} text={text} dismiss={dismiss} />
}

export function RemarkForm({ use }: { use: InputUse }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const { value: text, change } = useDraft(remarkDraftKey(task.id), '')
  const [error, setError] = useState<string | null>(null)
  const [result, setResult] = useState<CommandResult | 'sent' | null>(null)
  const request = post(taskPath(task.id, 'input'), { input: text })
  const submit = async () => {
    const entered = text.trim()
    const isWrong = use === 'command' && !entered.startsWith('/')
    const message = entered === '' ? words.empty : isWrong ? words.onlyCommands : null
    setError(message)
    if (message !== null || action.busy) return
    setResult(null)
    const answer = await action.run(request)
    if (answer?.ok !== true) return
    // A text that was typed meanwhile stays.
    change((now) => (now === text ? '' : now))
    setResult(answer.value.command ?? 'sent')
  }
  return (
    <form class="controls-say" onSubmit={handleSubmit(submit)}>
      <TextAreaField
        label={words.say}
        help={words.help[use]}
        error={error}
        rows={1}
        value={text}
        change={(typed) => {
          change(() => (typed.trim() === '' ? '' : typed))
          setError(null)
        }}
      />
      <div class="row">
        <RequestButton
          type="submit"
          text={words.send}
          busy={action.busy}
          request={text.trim() === '' ? null : request}
        />
        <output class="soft small">{result === null ? '' : result === 'sent' ? words.sent : words.answered}</output>
      </div>
      <ActionNote of={action} />
      {result !== null && result !== 'sent' && <CommandAnswer answer={result} />}
    </form>
  )
}
