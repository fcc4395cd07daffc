/** The first rows of a table file. */
import Papa from 'papaparse'
import { useMemo } from 'preact/hooks'
import { Scroll } from '../../../parts/scroll.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'

const WORDS = wordTable({
  first: [(rows: number) => `The first ${rows} rows.`, (rows) => `前 ${rows} 行。`],
  content: [(name: string) => `Content of ${name}`, (name) => `${name} 的内容`],
})
const ROWS_MAX = 100
const COLUMNS_MAX = 50

export function TablePreview({ text, name }: { text: string; name: string }) {
  const words = useWords(WORDS)
  // The first row names the columns, and one more row says whether there are more.
  const rows = useMemo(() => Papa.parse<string[]>(text, { preview: ROWS_MAX + 2, skipEmptyLines: true }).data, [text])
  const [head = [], ...body] = rows
  return (
    <>
      <Scroll kind="file-table" label={words.content(name)}>
        <table class="small number">
          <TableHead columns={head.slice(0, COLUMNS_MAX)} />
          <tbody>
            {body.slice(0, ROWS_MAX).map((row, index) => (
              <tr key={index}>
                {row.slice(0, COLUMNS_MAX).map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {body.length > ROWS_MAX && <p class="soft small">{words.first(ROWS_MAX)}</p>}
    </>
  )
}
