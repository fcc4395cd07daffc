/** A form whose entries make a command line. It shows the refusal of the command, and its curl line. */
import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { handleSubmit } from '../../parts/form.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { CommandRefusal } from './command-refusal.tsx'
import type { CommandText } from './commands.ts'
import { useCommandRequest, type CommandAction } from './use-command.ts'

const WORDS = wordTable({ save: ['Save', '保存'], cancel: ['Cancel', '取消'] })

interface Props {
  /** null: the entry is new. */
  id: number | null
  /** The text of the button for a new entry. */
  add: string
  /** A note about saving. */
  note: string
  line: CommandText
  command: CommandAction
  onSubmit: () => void
  onCancel: (() => void) | undefined
  /** Opens the editor of a conflicting event. */
  onEdit?: (id: number) => void
  children: ComponentChildren
}

export function CommandForm({ id, add, note, line, command, onSubmit, onCancel, onEdit, children }: Props) {
  const words = useWords(WORDS)
  const request = useCommandRequest()
  const label = id === null ? add : `${words.save} #${id}`
  return (
    <form class="desk-form" aria-label={label} onSubmit={handleSubmit(onSubmit)}>
      {children}
      <div class="row desk-wide">
        <Button type="submit" kind="main" busy={command.busy}>
          {id === null ? add : words.save}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{words.cancel}</Button>}
        {line.ok && <CopyCurl request={request(line.value)} of={label} />}
        {id !== null && <span class="soft small">{note}</span>}
      </div>
      <div class="desk-wide">
        <CommandRefusal command={command} {...(onEdit && { onEdit })} />
      </div>
    </form>
  )
}
