/** What a slash command answered: its kind, its text, its rows as a table. */
import type { CommandResult } from '../../../api/wire.ts'
import { useWords } from '../../../state/preferences.tsx'

const WORDS = { en: { answer: 'Answer of the command' }, zh: { answer: '命令的回答' } }

export function CommandAnswer({ answer }: { answer: CommandResult }) {
  const words = useWords(WORDS)
  const names = [...new Set(answer.rows.flatMap((row) => Object.keys(row)))]
  return (
    <div class="stack">
      <p>
        <code>{answer.kind}</code> {answer.ok ? '✓' : '✕'}
      </p>
      {answer.rows.length === 0 ? (
        <pre>{answer.text}</pre>
      ) : (
        <>
          <div class="scroll">
            <table>
              <caption class="aside">{words.answer}</caption>
              <thead>
                <tr>
                  {names.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {answer.rows.map((row, index) => (
                  <tr key={index}>
                    {names.map((name) => (
                      <td key={name}>{row[name]}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <pre>{answer.text}</pre>
        </>
      )}
    </div>
  )
}
