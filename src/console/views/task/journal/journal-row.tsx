/** One row of the journal: its effect and cost in one line, and its request and reply when it is opened. */
import type { JournalEntry } from '../../../api/wire.ts'
import { Fold } from '../../../parts/fold.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { durationText } from './costs.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import { RowBody } from './row-body.tsx'

const WORDS = wordTable({
  counted: ['counted', '计步'],
  tokens: [
    (input: number, output: number) => `${input} in, ${output} out`,
    (input, output) => `输入 ${input}，输出 ${output}`,
  ],
  cached: [(tokens: number) => `${tokens} from the cache`, (tokens) => `来自缓存 ${tokens}`],
  charged: [(tokens: number) => `${tokens} charged`, (tokens) => `计费 ${tokens}`],
})

interface Props {
  row: JournalEntry
  tool: string | null
  /** The longest duration, which a full bar stands for. */
  longest_ms: number
  onFork: (row: JournalEntry) => void
}

export function JournalRow({ row, tool, longest_ms, onFork }: Props) {
  return (
    <li id={`row-${row.seq}`} class="journal-row" tabIndex={-1}>
      <Fold title={<RowLine row={row} tool={tool} longest_ms={longest_ms} />}>
        {() => <RowBody key={row.finished_at} row={row} onFork={() => onFork(row)} />}
      </Fold>
    </li>
  )
}

function RowLine({ row, tool, longest_ms }: Omit<Props, 'onFork'>) {
  const words = useWords(WORDS)
  const { seq, kind, phase, counted, tokens, charged_tokens, cost_usd, duration_ms } = row
  return (
    <span class="journal-line">
      <span class="journal-seq number soft">{seq}</span>
      <span class="journal-what">
        <b>{phase ?? kind}</b>
        {tool === null ? phase !== null && <span class="soft small"> {kind}</span> : <code> {tool}</code>}
      </span>
      <span class="journal-marks">
        <OutcomeMark row={row} />
        {counted && <span class="journal-counted small">+1 {words.counted}</span>}
      </span>
      <span class="journal-time number small">
        {duration_ms !== null && (
          <>
            <span class="journal-bar" aria-hidden="true">
              <span style={{ width: `${longest_ms === 0 ? 0 : (100 * duration_ms) / longest_ms}%` }} />
            </span>
            {durationText(duration_ms)}
          </>
        )}
      </span>
      <span class="journal-tokens number small">
        {tokens !== null && words.tokens(tokens.input, tokens.output)}
        {tokens !== null && tokens.kinds.cache_read > 0 && (
          <span class="soft"> {words.cached(tokens.kinds.cache_read)}</span>
        )}
        {charged_tokens !== null && charged_tokens > 0 && <span class="soft"> {words.charged(charged_tokens)}</span>}
      </span>
      <span class="journal-cost number small">{cost_usd !== null && `$${cost_usd}`}</span>
    </span>
  )
}
