/** A command that was not done, in the words of the service. After a conflict it lists the events in the way. */
import type { CommandResult } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { conflictsOf } from './command-rows.ts'
import type { CommandAction } from './use-command.ts'

const WORDS = wordTable({
  goOn: [
    'Nothing was saved. Choose another start, length or repetition, or change what is in the way:',
    '没有保存。请换个开始时间、时长或重复方式，或者修改与之冲突的日程：',
  ],
  edit: [(id: number) => `Edit event #${id}`, (id) => `编辑日程 #${id}`],
  at: [(start: string, title: string) => `${start} ${title}`, (start, title) => `${start} ${title}`],
  more: [(more: number) => `… and ${more} more.`, (more) => `……另有 ${more} 处。`],
})

interface Props {
  command: Pick<CommandAction, 'problem' | 'refusal'>
  /** Opens the editor of a conflicting event. */
  onEdit?: (id: number) => void
}

export function CommandRefusal({ command: { problem, refusal }, onEdit }: Props) {
  if (refusal === null) return <ProblemNote problem={problem} />
  if (refusal.kind === 'conflict') return <ConflictNote result={refusal} {...(onEdit && { onEdit })} />
  return (
    <div class="problem" role="alert">
      <p class="said">{refusal.text}</p>
      <code>{refusal.kind}</code>
    </div>
  )
}

function ConflictNote({ result, onEdit }: { result: CommandResult; onEdit?: (id: number) => void }) {
  const words = useWords(WORDS)
  const { listed, more } = conflictsOf(result)
  return (
    <div class="problem desk-conflict" role="alert">
      <p>{result.text.split('\n', 1)}</p>
      <p>{words.goOn}</p>
      <ul>
        {listed.map(({ id, start, title }) => (
          <li key={`${id} ${start}`}>
            <span class="number">#{id}</span> {words.at(start, title)}{' '}
            {onEdit !== undefined && (
              <Button kind="quiet" onClick={() => onEdit(id)}>
                {words.edit(id)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{words.more(more)}</p>}
      <code>{result.kind}</code>
    </div>
  )
}
