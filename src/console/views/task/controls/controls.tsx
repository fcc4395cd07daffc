/** What can be done to the task: stepping it, speaking to it, holding it, ending it. */
import { useWords } from '../../../state/preferences.tsx'
import { CONTROLS } from '../focus-onward.ts'
import { useTask } from '../task-context.tsx'
import { Advance } from './advance.tsx'
import { Hold } from './hold.tsx'
import { offersOf } from './offers.ts'
import { Say, Unsaid } from './say.tsx'
import './controls.css'

const WORDS = { en: { controls: 'Controls' }, zh: { controls: '操作' } }

export function Controls() {
  const words = useWords(WORDS)
  const { task } = useTask()
  const offers = offersOf(task)
  return (
    <section id={CONTROLS} class="controls card" tabIndex={-1} aria-label={words.controls}>
      <Advance offered={offers.step} />
      {offers.say === null ? <Unsaid /> : <Say saying={offers.say} />}
      <Hold offers={offers} />
    </section>
  )
}
