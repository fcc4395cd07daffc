/** The lines about what a task waits for: a question, a file or an approval. */
import type { TaskView } from '../terms/view.ts'
import { oneLine, stripControls } from './line-text.ts'
import type { ProgressWords } from './progress-words.ts'

/** The question with its choices below it, one per line. */
const questionLines = (
  { prompt, choices }: Extract<TaskView['pending'], { kind: 'question' }>,
  how: string,
): string[] => [stripControls(prompt), ...(choices ?? []).map((choice) => `- ${stripControls(choice)}`), how]

/** What a task that waits for its client asks for, and how it is given. */
export function pendingLines({ id, pending }: TaskView, words: ProgressWords): string[] {
  if (pending?.kind === 'question') return questionLines(pending, words.howToAnswer(id))
  if (pending?.kind === 'file')
    return [stripControls(pending.prompt), words.howToPut(pending.put_url), words.howToGoWithout(id)]
  if (pending?.kind !== 'approval') return []
  const { action } = pending
  const text = action === null ? null : { tool: oneLine(action.tool), input: stripControls(action.input) }
  return [words.approves(text), words.howToApprove(id)]
}
