/** One entry of the activity. It is drawn again only when it has changed. */
import { useMemo } from 'preact/hooks'
import { Fold } from '../../../parts/fold.tsx'
import { Markdown } from '../../../parts/markdown/markdown.tsx'
import { stopReasonText } from '../../../parts/stop-reasons.ts'
import { Time } from '../../../parts/time/time.tsx'
import { fragmentOf } from '../../../route.ts'
import { usePreferences, useWords } from '../../../state/preferences.tsx'
import { ChangesList } from '../plan/changes-list.tsx'
import { entryName, type Entry, type EntryName, type EntryOf } from './event-entry.ts'
import { labelIn, WORDS } from './entry-words.ts'

export function EntryRow({ entry, task }: { entry: Entry; task: string }) {
  return useMemo(() => <EntryContent entry={entry} task={task} />, [entry, task])
}

/** The sign and the tone of each entry. The label says the same in words. */
type Sign = [sign: string, tone: string]
const OTHER_SIGN: Sign = ['·', 'soft']
const SIGNS: Readonly<Record<string, Sign>> = {
  thought: ['…', 'soft'],
  action: ['▸', 'going'],
  question: ['?', 'wait'],
  answer: ['↵', 'wait'],
  guard: ['!', 'warn'],
  contract: ['!', 'warn'],
  budget: ['$', 'warn'],
  command: ['→', 'going'],
  report: ['←', 'going'],
  written: ['¶', 'good'],
  item_started: ['▹', 'soft'],
  item_completed: ['✓', 'good'],
  item_failed: ['✕', 'bad'],
  action_waiting: ['…', 'wait'],
  tools_listed: OTHER_SIGN,
  tools_unavailable: ['!', 'warn'],
  task_completed: ['✓', 'good'],
  task_failed: ['✕', 'bad'],
  agent_error: ['✕', 'bad'],
  task_canceled: ['·', 'soft'],
  task_paused: ['‖', 'warn'],
  task_created: OTHER_SIGN,
  task_changed: OTHER_SIGN,
  task_resumed: OTHER_SIGN,
  agent_started: OTHER_SIGN,
  agent_completed: OTHER_SIGN,
} satisfies Record<Exclude<EntryName, EntryOf<'plan'>['what']>, Sign>

function EntryContent({ entry, task }: { entry: Entry; task: string }) {
  const words = useWords(WORDS)
  const name = entryName(entry)
  const [sign, tone] = entry.kind === 'plan' ? ['≡', 'going'] : (SIGNS[name] ?? OTHER_SIGN)
  return (
    <li class={`activity-entry ${entry.kind}`} data-seq={entry.seq}>
      <span class={`activity-sign ${tone}`} aria-hidden="true">
        {sign}
      </span>
      <div class="activity-what">
        <p class="activity-head">
          <strong>{labelIn(words.names, name)}</strong> <Head entry={entry} />
        </p>
        <Body entry={entry} />
      </div>
      <span class="activity-when small number">
        {entry.row === null ? (
          <Time at={entry.at} seconds />
        ) : (
          <a
            class="soft"
            href={fragmentOf({ view: 'task', id: task, tab: 'journal', seq: entry.row })}
            title={words.journal(entry.row)}
          >
            <Time at={entry.at} seconds /> <span class="aside">{words.journal(entry.row)}</span>
          </a>
        )}
      </span>
    </li>
  )
}

/** The text beside the label of the entry. */
function Head({ entry }: { entry: Entry }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  switch (entry.kind) {
    case 'thought':
      return <ThoughtHead entry={entry} />
    case 'action':
      return (
        <>
          <code>{entry.tool}</code> <span class={`activity-state ${entry.state}`}>{words.states[entry.state]}</span>
        </>
      )
    case 'plan':
      return (
        <span class="soft small">
          {words.items(entry.total)} {entry.author !== null && `· ${words.by(entry.author)}`}
        </span>
      )
    case 'item':
      return <span>{entry.title}</span>
    case 'tools':
      return <code>{entry.name}</code>
    case 'guard':
      return (
        <span class="small">
          <code>{entry.guard}</code> {entry.count > 1 && words.count(entry.count)}
        </span>
      )
    case 'contract':
      return <code>{entry.phase}</code>
    case 'command':
    case 'report':
      return <code class="soft">{entry.delegation_id}</code>
    case 'turn':
      return <span class="soft small">{stopReasonText(entry.reason, locale)}</span>
    default:
      return null
  }
}

function ThoughtHead({ entry: { phase, decision, real } }: { entry: EntryOf<'thought'> }) {
  const words = useWords(WORDS)
  if (real !== null)
    return (
      <span class={`activity-real ${real ? 'real' : 'synthetic'}`} title={real ? words.realHelp : words.syntheticHelp}>
        {real ? words.real : words.synthetic}
      </span>
    )
  return (
    <span class="soft small">
      <code>{phase}</code> → <code>{decision}</code>
    </span>
  )
}

function Body({ entry }: { entry: Entry }) {
  const words = useWords(WORDS)
  switch (entry.kind) {
    case 'thought':
    case 'question':
    case 'answer':
      return entry.text === '' ? null : <p class="said">{entry.text}</p>
    case 'action':
      return <ActionBody entry={entry} />
    case 'plan':
      return <ChangesList changes={entry.changes} />
    case 'guard':
      return entry.evidence === '' ? null : <p class="said soft small">{entry.evidence}</p>
    case 'tools':
      return entry.text === '' ? null : <p class="said soft small">{entry.text}</p>
    case 'contract':
      return <p class="said small">{entry.reason}</p>
    case 'budget':
      return (
        <p>
          {words.budget[entry.what](labelIn(words.axes, entry.axis), entry.amounts[0] ?? '–', entry.amounts[1] ?? '–')}
        </p>
      )
    case 'command':
      return <p>{words.command(entry.command_type)}</p>
    case 'report':
      return (
        <>
          <p>{words.report(entry.status)}</p>
          <FoldedText name={words.more} text={entry.text} isMarkdown />
        </>
      )
    case 'written':
      return <FoldedText name={words.more} text={entry.text} isMarkdown />
    case 'item':
    case 'turn':
      return null
  }
}

function ActionBody({ entry: { tool, input, state, result } }: { entry: EntryOf<'action'> }) {
  const words = useWords(WORDS)
  return (
    <>
      {input !== null && <FoldedText name={words.input} about={tool} text={input} />}
      {result !== null && <FoldedText name={words.result} about={tool} text={result} />}
      {state === 'unknown' && <p class="soft small">{words.unresolved}</p>}
    </>
  )
}

interface FoldedTextProps {
  name: string
  about?: string
  text: string
  isMarkdown?: boolean
}

/** A folded text. Its beginning is shown beside its name. */
function FoldedText({ name, about, text, isMarkdown = false }: FoldedTextProps) {
  if (text === '') return null
  return (
    <Fold
      kind="activity-fold small"
      label={about === undefined ? name : `${name}: ${about}`}
      title={
        <>
          <span class="soft">{name}</span> <span class="activity-peek">{text.slice(0, PEEK_CHARS)}</span>
        </>
      }
    >
      {() => (isMarkdown ? <Markdown text={text} /> : <pre>{text}</pre>)}
    </Fold>
  )
}
const PEEK_CHARS = 160
