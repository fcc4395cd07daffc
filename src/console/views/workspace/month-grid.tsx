/** A month: a table of weeks where there is room, a list of the days that have something where there is not. Arrow keys go from day to day. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePreferences, useWords } from '../../state/preferences.tsx'
import { byDay, dayText, dayAfterKey, monthOf, monthText, timeOf, weekdayTexts, weeksOf } from './month.ts'
import type { EventRow } from './command-rows.ts'

const WORDS = {
  en: {
    events: (n: number) => (n === 0 ? 'no events' : n === 1 ? '1 event' : `${n} events`),
    more: (n: number) => `${n} more`,
    agenda: 'Days with events',
    empty: 'No events in this month.',
  },
  zh: {
    events: (n: number) => (n === 0 ? '无日程' : `${n} 个日程`),
    more: (n: number) => `另有 ${n} 个`,
    agenda: '有日程的日子',
    empty: '本月没有日程。',
  },
}
/** Lines of a day's cell. */
const SHOWN = 3

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
  const byKey = useRef(false)
  useLayoutEffect(() => {
    if (byKey.current) table.current?.querySelector<HTMLButtonElement>('[aria-pressed="true"]')?.focus()
    byKey.current = false
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
                    reached={day === entry}
                    onChoose={onChoose}
                    onMove={(to) => {
                      byKey.current = true
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
  /** By Tab: one day of the month is, the arrow keys reach the others. */
  reached: boolean
  onChoose: (day: string) => void
  onMove: (day: string) => void
}

function Day({ day, events, pressed, current, reached, onChoose, onMove }: DayProps) {
  const { locale } = usePreferences()
  const words = useWords(WORDS)
  return (
    <>
      <button
        type="button"
        class="desk-day number"
        aria-pressed={pressed}
        aria-current={current ? 'date' : undefined}
        tabIndex={reached ? 0 : -1}
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
        {events.slice(0, SHOWN).map(({ id, start, title }) => (
          <li key={`${id} ${start}`} title={title}>
            <span class="number">{timeOf(start)}</span> {title}
          </li>
        ))}
        {events.length > SHOWN && <li>{words.more(events.length - SHOWN)}</li>}
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
        {days.map(([day, of]) => (
          <li key={day}>
            <button type="button" class="button quiet" aria-pressed={day === chosen} onClick={() => onChoose(day)}>
              {dayText(day, locale, false)}
              <span class="aside">{`, ${words.events(of.length)}`}</span>
            </button>
            <ul>
              {of.slice(0, SHOWN).map(({ id, start, title }) => (
                <li key={`${id} ${start}`}>
                  <span class="number soft">{timeOf(start)}</span> {title}
                </li>
              ))}
              {of.length > SHOWN && <li class="soft">{words.more(of.length - SHOWN)}</li>}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  )
}
