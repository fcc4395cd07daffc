/** The schedule of the workspace: a month, the events of one day, and the form of one event. */
import { useRef, useState } from 'preact/hooks'
import type { CommandResult } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { TryAgain } from '../../parts/problem/try-again.tsx'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { CommandRefusal } from './command-refusal.tsx'
import { eventGet, monthView, NO_EVENT, TODAY, type EventDraft } from './commands.ts'
import { EventForm } from './event-form.tsx'
import { EventItem } from './event-item.tsx'
import { Agenda, MonthGrid } from './month-grid.tsx'
import { dayOfMoment, dayText, firstDayOf, isMonth, monthOf, monthsLater, monthText } from './month.ts'
import { draftOfEvent, eventsOf, moreOf } from './command-rows.ts'
import { useCommandAction, useCommandRequest, useCommandReading } from './use-command.ts'

const WORDS = wordTable({
  title: ['Schedule', '日程'],
  before: ['Month before', '上个月'],
  after: ['Month after', '下个月'],
  today: ['Today', '今天'],
  go: ['Go to a day', '转到某天'],
  month: ['this month', '本月'],
  loading: ['Reading …', '正在读取……'],
  none: ['Nothing on this day.', '这一天没有日程。'],
  add: ['Add an event', '添加日程'],
  more: [
    (n: number) => `… and ${n} more occurrences, which one answer has no room for.`,
    (n) => `……另有 ${n} 次，一次应答放不下。`,
  ],
})
interface Props {
  version: number
  onChanged: () => void
}

export function Schedule({ version, onChanged }: Props) {
  const words = useWords(WORDS)
  const reading = useCommandReading(TODAY, version)
  const today = reading.value === null ? null : firstDayOf(reading.value)
  return (
    <section class="card stack" aria-labelledby="desk-schedule">
      <h2 id="desk-schedule">{words.title}</h2>
      {reading.problem !== null && <TryAgain of={reading} />}
      {reading.value === null && reading.problem === null && <p class="soft">{words.loading}</p>}
      {today !== null && <Month today={today} version={version} onChanged={onChanged} />}
    </section>
  )
}

function Month({ today, version, onChanged }: Props & { today: string }) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const request = useCommandRequest()
  const [day, setDay] = useState(today)
  const month = monthOf(day)
  const reading = useCommandReading(monthView(month), version)
  const { value: result } = reading
  const events = result === null ? [] : eventsOf(result)
  const turn = (months: number) => {
    const to = monthsLater(month, months)
    // The calendar ends with the year 9999.
    if (isMonth(to)) setDay(`${to}-01`)
  }
  return (
    <>
      <div class="row">
        <Button label={words.before} onClick={() => turn(-1)}>
          ‹
        </Button>
        <Button label={words.after} onClick={() => turn(1)}>
          ›
        </Button>
        <h3 aria-live="polite">{monthText(month, locale)}</h3>
        <Button kind="quiet" onClick={() => setDay(today)}>
          {words.today}
        </Button>
        <input
          class="desk-go"
          type="date"
          aria-label={words.go}
          value={day}
          onChange={({ currentTarget: { value } }) => {
            if (/^\d{4}-\d{2}-\d{2}$/.test(value)) setDay(value)
          }}
        />
        <span class="push" />
        <CopyCurl request={request(monthView(month))} of={words.month} />
      </div>
      {reading.problem !== null && <TryAgain of={reading} />}
      {result?.kind === 'usage_error' && <p class="said">{result.text}</p>}
      <MonthGrid month={month} today={today} chosen={day} events={events} onChoose={setDay} />
      <Agenda events={events} chosen={day} onChoose={setDay} />
      <p class="soft small">{heading(result)}</p>
      {result !== null && moreOf(result) > 0 && <p class="soft small">{words.more(moreOf(result))}</p>}
      <Day day={day} result={result} onChanged={onChanged} onChoose={setDay} />
    </>
  )
}

/** Returns the span of the answer in the words of the service. A setting may limit it to a part of the month. */
const heading = (result: CommandResult | null) => (result?.text.split('\n', 1)[0] ?? '').replace(/[:：]$/, '')

interface DayProps {
  day: string
  result: CommandResult | null
  onChanged: () => void
  onChoose: (day: string) => void
}
/** `id` null: the event is new. `waiting` is an earlier edit that goes on after this one. */
type Editing = { id: number | null; draft: EventDraft; waiting: Editing | null }

function Day({ day, result, onChanged, onChoose }: DayProps) {
  const words = useWords(WORDS)
  const { locale } = usePreferences()
  const [editing, setEditing] = useState<Editing | null>(null)
  const latest = useRef(editing)
  latest.current = editing
  const title = useRef<HTMLHeadingElement>(null)
  const lookup = useCommandAction()
  const focusTitle = () => title.current?.focus()
  const events = result === null ? [] : eventsOf(result).filter(({ start }) => dayOfMoment(start) === day)
  // An occurrence has its own start, so the event itself is read.
  const open = async (id: number, waiting: Editing | null) => {
    const result = await lookup.run(eventGet(id))
    const [event] = result === null ? [] : eventsOf(result)
    // An editor that was opened meanwhile stays.
    if (event !== undefined && latest.current === editing) setEditing({ id, draft: draftOfEvent(event), waiting })
  }
  const close = () => {
    if (latest.current !== editing) return
    const next = editing?.waiting ?? null
    setEditing(next)
    if (next === null) focusTitle()
  }
  return (
    <div class="stack desk-of-day">
      <div class="row">
        <h3 ref={title} tabIndex={-1}>
          {dayText(day, locale)}
        </h3>
        {editing === null && (
          <Button
            onClick={() => setEditing({ id: null, draft: { ...NO_EVENT, start: `${day}T09:00` }, waiting: null })}
          >
            {words.add}
          </Button>
        )}
      </div>
      <CommandRefusal command={lookup} />
      {editing !== null && (
        <EventForm
          key={editing.id}
          id={editing.id}
          from={editing.draft}
          onCancel={close}
          onEdit={(id, draft) => void open(id, { ...editing, draft })}
          onDone={(start) => {
            close()
            onChoose(dayOfMoment(start))
            onChanged()
          }}
        />
      )}
      {result !== null && events.length === 0 && editing === null && <p class="soft">{words.none}</p>}
      <ul class="desk-list">
        {events.map((event) => (
          <EventItem
            key={`${event.id} ${event.start}`}
            event={event}
            // An open form must not lose what was entered.
            onEdit={editing === null ? (id) => void open(id, null) : null}
            onChanged={onChanged}
            onGone={focusTitle}
          />
        ))}
      </ul>
    </div>
  )
}
