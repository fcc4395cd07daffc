/** A month as a table of weeks, or in little room as a list of days with events. Arrow keys move from day to day. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePreferences, useWords, wordTable } from '../../state/preferences.tsx'
import { byDay, dayText, dayAfterKey, monthOf, monthText, timeOf, weekdayTexts, weeksOf } from './month.ts'
import type { EventRow } from './command-rows.ts'

const WORDS = wordTable({
  events: [
    (n: number) => (n === 0 ? 'no events' : n === 1 ? '1 event' : `${n} events`),
    (n) => (n === 0 ? '无日程' : `${n} 个日程`),
  ],
  more: [(n: number) => `${n} more`, (n) => `另有 ${n} 个`],
  agenda: ['Days with events', '有日程的日子'],
  empty: ['No events in this month.', '本月没有日程。'],
})
/** The number of events in the cell of a day. */
const EVENTS_SHOWN = 3

interface Props {
  month: string
  today: string
  chosen: string
  events: EventRow[]
  onChoose: (day: string) => void
}

export function MonthGrid({ month, today, chosen, events, onChoose }: Props) {
  const { locale } = usePreferences()
  const table = useRef<HTMLTableElement>(null)
  const isMovedByKey = useRef(false)
  useLayoutEffect(() => {
    if (isMovedByKey.current) table.current?.querySelector<HTMLButtonElement>('[aria-pressed="true"]')?.focus()
    isMovedByKey.current = false
  }, [chosen])
  const days = byDay(events)
  const entry = monthOf(chosen) === month ? chosen : `${month}-01`
  return (
    <table ref={table} class="desk-month">
      <caption class="aside">{monthText(month, locale)}</caption>
      <thead>
        <tr>
          {weekdayTexts(locale).map(({ short, long }) => (
            <th key={long} scope="col" abbr={long}>
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, at) => (
          <tr key={`${month} ${at}`}>
            {week.map((day, weekday) =>
              day === null ? (
                <td key={weekday} class="desk-outside">
                  {' '}
                </td>
              ) : (
                <td key={day} class={day === today ? 'desk-today' : ''}>
                  <Day
                    day={day}
                    events={days.get(day) ?? []}
                    pressed={day === chosen}
                    current={day === today}
                    isTabStop={day === entry}
                    onChoose={onChoose}
                    onMove={(to) => {
                      isMovedByKey.current = true
                      onChoose(to)
                    }}
                  />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayProps {
  day: string
  events: EventRow[]
  pressed: boolean
  current: boolean
  /** Whether Tab reaches the day. It reaches one day of the month, and arrow keys reach the others. */
  isTabStop: boolean
  onChoose: (day: string) => void
  onMove: (day: string) => void
}

function Day({ day, events, pressed, current, isTabStop, onChoose, onMove }: DayProps) {
  const { locale } = usePreferences()
  const words = useWords(WORDS)
  return (
    <>
      <button
        type="button"
        class="desk-day number"
        aria-pressed={pressed}
        aria-current={current ? 'date' : undefined}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => onChoose(day)}
        onKeyDown={(event) => {
          const to = dayAfterKey(event.key, day)
          if (to === null || event.altKey || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          onMove(to)
        }}
      >
        <span aria-hidden="true">{Number(day.slice(-2))}</span>
        <span class="aside">{`${dayText(day, locale)}, ${words.events(events.length)}`}</span>
      </button>
      <ul>
        {events.slice(0, EVENTS_SHOWN).map(({ id, start, title }) => (
          <li key={`${id} ${start}`} title={title}>
            <span class="number">{timeOf(start)}</span> {title}
          </li>
        ))}
        {events.length > EVENTS_SHOWN && <li>{words.more(events.length - EVENTS_SHOWN)}</li>}
      </ul>
    </>
  )
}

export function Agenda({ events, chosen, onChoose }: Pick<Props, 'events' | 'chosen' | 'onChoose'>) {
  const { locale } = usePreferences()
  const words = useWords(WORDS)
  const days = [...byDay(events)]
  return (
    <div class="desk-agenda">
      {days.length === 0 && <p class="soft">{words.empty}</p>}
      <ul aria-label={words.agenda}>
        {days.map(([day, dayEvents]) => (
          <li key={day}>
            <button type="button" class="button quiet" aria-pressed={day === chosen} onClick={() => onChoose(day)}>
              {dayText(day, locale, false)}
              <span class="aside">{`, ${words.events(dayEvents.length)}`}</span>
            </button>
            <ul>
              {dayEvents.slice(0, EVENTS_SHOWN).map(({ id, start, title }) => (
                <li key={`${id} ${start}`}>
                  <span class="number soft">{timeOf(start)}</span> {title}
                </li>
              ))}
              {dayEvents.length > EVENTS_SHOWN && <li class="soft">{words.more(dayEvents.length - EVENTS_SHOWN)}</li>}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  )
}
