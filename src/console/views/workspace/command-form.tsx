/** A form whose entries make a line of a command: what it is refused for stays with it, and that line can be copied as curl. */
import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { useWords } from '../../state/preferences.tsx'
import { CommandRefusal } from './command-refusal.tsx'
import type { CommandText } from './commands.ts'
import { useCommandRequest, type CommandAction } from './use-command.ts'

const WORDS = { en: { save: 'Save', cancel: 'Cancel' }, zh: { save: '保存', cancel: '取消' } }

interface Props {
  /** null: a new one. */
  id: number | null
  /** What the button says where it is a new one. */
  add: string
  /** What is to be known about saving. */
  stays: string
  line: CommandText
  command: CommandAction
  onSubmit: () => void
  onCancel: (() => void) | undefined
  /** Opens the editor of an event that is in the way. */
  onEdit?: (id: number) => void
  children: ComponentChildren
}

export function CommandForm({ id, add, stays, line, command, onSubmit, onCancel, onEdit, children }: Props) {
  const words = useWords(WORDS)
  const request = useCommandRequest()
  const said = id === null ? add : `${words.save} #${id}`
  return (
    <form
      class="desk-form"
      aria-label={said}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <div class="row desk-wide">
        <Button type="submit" kind="main" busy={command.busy}>
          {id === null ? add : words.save}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{words.cancel}</Button>}
        {line.ok && <CopyCurl request={request(line.value)} of={said} />}
        {id !== null && <span class="soft small">{stays}</span>}
      </div>
      <div class="desk-wide">
        <CommandRefusal command={command} {...(onEdit && { onEdit })} />
      </div>
    </form>
  )
}
