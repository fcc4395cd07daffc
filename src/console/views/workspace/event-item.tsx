/** One occurrence on its day, with the actions for its event. */
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { CommandRefusal } from './command-refusal.tsx'
import { eventDelete, eventRepeat } from './commands.ts'
import { timeOf } from './month.ts'
import { RemoveButton } from './remove-button.tsx'
import { unitOf, type EventRow } from './command-rows.ts'
import { useCommandAction, useCommandRequest } from './use-command.ts'

const WORDS = wordTable({
  minutes: [(n: number) => `${n} min`, (n) => `${n} 分钟`],
  remind: ['reminder', '提醒'],
  each: ['reminders from', '逐次提醒自'],
  edit: ['Edit', '编辑'],
  editOf: [(id: number) => `Edit event #${id}`, (id) => `编辑日程 #${id}`],
  event: [(id: number) => `event #${id}`, (id) => `日程 #${id}`],
  question: ['Delete it?', '确定删除？'],
  all: ['Delete it with every repetition?', '连同全部重复一起删除？'],
  remove: ['Delete', '删除'],
  on: ['Repeat again', '恢复重复'],
  off: ['Stop repeating', '停止重复'],
  every: [
    { minute: 'min', hour: 'h', day: 'days', week: 'weeks' },
    { minute: '分钟', hour: '小时', day: '天', week: '周' },
  ],
  single: [
    { minute: 'every minute', hour: 'every hour', day: 'every day', week: 'every week' },
    { minute: '每分钟', hour: '每小时', day: '每天', week: '每周' },
  ],
  repeats: [(every: number, unit: string) => `every ${every} ${unit}`, (every, unit) => `每 ${every} ${unit}`],
  times: [(times: number) => `${times} times`, (times) => `共 ${times} 次`],
  isOff: ['repetition switched off', '重复已关闭'],
})

interface Props {
  event: EventRow
  /** null: another entry is being edited. */
  onEdit: ((id: number) => void) | null
  onChanged: () => void
  onGone: () => void
}

export function EventItem({ event, onEdit, onChanged, onGone }: Props) {
  const words = useWords(WORDS)
  const command = useCommandAction()
  const request = useCommandRequest()
  const act = async (line: string, removes: boolean) => {
    if ((await command.run(line)) === null) return
    if (removes) onGone()
    onChanged()
  }
  const { id } = event
  const repeat = event.repeat === null ? null : eventRepeat(id, event.repeat === 'off')
  const turn = event.repeat === 'off' ? words.on : words.off
  return (
    <li class="desk-item">
      <div class="desk-line">
        <span class="desk-time number">{timeOf(event.start)}</span>
        <div class="desk-said">
          <p class="said">{event.title}</p>
          <Facts event={event} />
        </div>
        <div class="row push">
          {repeat !== null && (
            <Button
              kind="quiet"
              label={`${turn}: ${words.event(id)}`}
              busy={command.busy}
              onClick={() => void act(repeat, event.repeat === 'on')}
            >
              {turn}
            </Button>
          )}
          <Button kind="quiet" label={words.editOf(id)} disabled={onEdit === null} onClick={() => onEdit?.(id)}>
            {words.edit}
          </Button>
          <RemoveButton
            of={words.event(id)}
            question={event.repeat === 'on' ? words.all : words.question}
            busy={command.busy}
            onRemove={() => void act(eventDelete(id), true)}
          />
          <details class="desk-curl small">
            <summary>curl</summary>
            <div class="row">
              {repeat !== null && (
                <span>
                  {turn}
                  <CopyCurl request={request(repeat)} of={`${turn}: ${words.event(id)}`} />
                </span>
              )}
              <span>
                {words.remove}
                <CopyCurl request={request(eventDelete(id))} of={`${words.remove}: ${words.event(id)}`} />
              </span>
            </div>
          </details>
        </div>
      </div>
      <CommandRefusal command={command} />
    </li>
  )
}

function Facts({ event }: { event: EventRow }) {
  const words = useWords(WORDS)
  const { id, duration, remind, remind_start, interval, times, repeat } = event
  const rule = interval === null ? null : unitOf(interval)
  return (
    <p class="desk-facts soft small number">
      <span>#{id}</span>
      <span>{words.minutes(duration)}</span>
      {rule !== null && (
        <span>{rule.every === 1 ? words.single[rule.unit] : words.repeats(rule.every, words.every[rule.unit])}</span>
      )}
      {times !== null && times > 0 && <span>{words.times(times)}</span>}
      {repeat === 'off' && <span>{words.isOff}</span>}
      {remind !== null && <span>{`${words.remind} ${remind}`}</span>}
      {remind_start !== null && <span>{`${words.each} ${remind_start}`}</span>}
    </p>
  )
}
