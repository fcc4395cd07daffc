/** A field for any slash command, and the result of the command. */
import { useState } from 'preact/hooks'
import type { CommandResult } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { CommandAnswer } from '../../parts/command-answer.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { handleSubmit, InputField } from '../../parts/form.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { useDraft } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useCommandRequest } from './use-command.ts'

const WORDS = wordTable({
  title: ['Any command', '任意命令'],
  line: ['Command', '命令'],
  help: ['/help lists them all. It runs without a model.', '/help 列出全部命令。执行时不需要模型。'],
  run: ['Run', '执行'],
  answer: ['Answer', '应答'],
  json: ['JSON', 'JSON'],
})

export function CommandLine({ onChanged }: { onChanged: () => void }) {
  const words = useWords(WORDS)
  const request = useCommandRequest()
  const action = useAction()
  const { value: line, change } = useDraft('command', '')
  const [result, setResult] = useState<CommandResult | null>(null)
  const run = async () => {
    const answer = await action.run<CommandResult>(request(line))
    if (answer?.ok !== true) return
    setResult(answer.value)
    if (!answer.value.ok) return
    onChanged()
    // A second press would run it once more, so the field is emptied. A line that was typed meanwhile stays.
    change((now) => (now === line ? '' : now))
  }
  return (
    <section class="card stack" aria-labelledby="desk-command">
      <h2 id="desk-command">{words.title}</h2>
      <form class="desk-command" onSubmit={handleSubmit(run)}>
        <InputField
          label={words.line}
          help={words.help}
          value={line}
          change={(text) => change(() => text)}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="/help"
        />
        <div class="row">
          <Button type="submit" busy={action.busy}>
            {words.run}
          </Button>
          <CopyCurl request={request(line)} of={words.line} />
        </div>
      </form>
      <ActionNote of={action} />
      <div aria-live="polite">{result !== null && <CommandResultView result={result} />}</div>
    </section>
  )
}

function CommandResultView({ result }: { result: CommandResult }) {
  const words = useWords(WORDS)
  const json = JSON.stringify(result, null, 2)
  return (
    <section class="stack" aria-label={words.answer}>
      <CommandAnswer answer={result} />
      <details class="small">
        <summary>{words.json}</summary>
        <Copy text={json}>{words.json}</Copy>
        <pre>{json}</pre>
      </details>
    </section>
  )
}
