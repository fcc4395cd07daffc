/** The form of a paused task: the reason, what helps, and a button to continue. */
import { taskPath, post } from '../../../api/request.ts'
import { ActionNote } from '../../../parts/problem/action-note.tsx'
import { RequestButton } from '../../../parts/request-button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { exhaustedAxis } from '../../../parts/stop-reasons.ts'
import { useTask, useTaskAction } from '../task-context.tsx'
import { TopUp } from '../budget/top-up.tsx'

const WORDS = wordTable({
  continue: ['Continue', '继续'],
  grants: ['Grants the original amount again, and goes on.', '再次获得原有额度并继续执行。'],
  withholds: [
    'This task is not granted more by “continue” (continue_grants is off): top it up.',
    '本任务不能靠“继续”获得额度（continue_grants 已关闭），请追加预算。',
  ],
  tenant: ['It goes on when the total of the day allows it again.', '当日总额度再次可用后才能继续。'],
  goesOn: ['Goes on where it was.', '从原处继续执行。'],
  begins: ['Begins to work.', '开始执行。'],
})

export function Resume({ hint }: { hint: string }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const action = useTaskAction()
  const { handover, settings, stop_reason } = task
  const axis = exhaustedAxis(stop_reason)
  const request = post(taskPath(task.id, 'input'), { input: 'continue' })
  const canContinue = axis === null || axis === 'tenant' || settings.continue_grants
  const next = stop_reason === 'held' ? words.begins : words.goesOn
  const help = axis === null ? next : axis === 'tenant' ? words.tenant : words.grants
  return (
    <>
      {handover !== null && <p class="said">{handover.unfinished_reason}</p>}
      {handover === null || handover.next_steps.length === 0 ? (
        <p class="said">{hint}</p>
      ) : (
        <ul class="waiting-steps">
          {handover.next_steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {canContinue ? (
        <div class="row">
          <RequestButton
            kind="main"
            text={words.continue}
            busy={action.busy}
            request={request}
            onClick={() => void action.run(request)}
          />
          <span class="soft small">{help}</span>
        </div>
      ) : (
        <p class="soft small">{words.withholds}</p>
      )}
      <ActionNote of={action} />
      {axis !== null && axis !== 'tenant' && <TopUp key={axis} spent={axis} />}
    </>
  )
}
