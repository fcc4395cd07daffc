/** The controls of the task: step, remark, pause, resume, cancel and delete. */
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { CONTROLS } from '../focus-onward.ts'
import { useTask } from '../task-context.tsx'
import { StepControls } from './step-controls.tsx'
import { LifecycleButtons } from './lifecycle-buttons.tsx'
import { offersOf } from './offers.ts'
import { RemarkForm, UnsentRemark } from './remark-form.tsx'
import './controls.css'

const WORDS = wordTable({ controls: ['Controls', '操作'] })

export function Controls() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const offers = offersOf(task)
  return (
    <section id={CONTROLS} class="controls card" tabIndex={-1} aria-label={words.controls}>
      <StepControls isOffered={offers.step} />
      {offers.input === null ? <UnsentRemark /> : <RemarkForm use={offers.input} />}
      <LifecycleButtons offers={offers} />
    </section>
  )
}
