/** The result of a slash command: whether it was done, its kind, its text, and its rows as a table. */
import type { CommandResult } from '../api/wire.ts'
import { useWords, wordTable } from '../state/preferences.tsx'
import { Scroll } from './scroll.tsx'
import { TableHead } from './table-head.tsx'
import './status.css'

const WORDS = wordTable({
  done: ['done', '已执行'],
  refused: ['not done', '未执行'],
  rows: ['Rows of the answer', '应答中的各行'],
})

export function CommandAnswer({ answer: { kind, ok, rows, text } }: { answer: CommandResult }) {
  const words = useWords(WORDS)
  return (
    <div class="stack">
      <p class="row">
        <span class={`status ${ok ? 'good' : 'bad'}`}>
          <span aria-hidden="true">{ok ? '✓' : '✕'}</span> {ok ? words.done : words.refused}
        </span>
        <code>{kind}</code>
      </p>
      {/* The text draws the same rows as a table of characters, so only its first line is shown beside them. */}
      <pre class="said">{rows.length === 0 ? text : text.split('\n', 1)}</pre>
      {rows.length > 0 && (
        <Scroll label={words.rows}>
          <Rows rows={rows} />
        </Scroll>
      )}
    </div>
  )
}

function Rows({ rows }: Pick<CommandResult, 'rows'>) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <table class="small">
      <TableHead columns={names} />
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {names.map((name) => (
              <td key={name}>{row[name] ?? '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
