/** The form that puts a schedule, or changes the one that is shown. What is typed stays when the view is left. */
import { useState } from 'preact/hooks'
import { OVERLAP_RULES } from '../../../core/terms/plain/wire-names.ts'
import type { ApiRequest } from '../../api/request.ts'
import type { ScheduleView } from '../../api/wire.ts'
import { handleSubmit, InputField, SelectField, TextAreaField } from '../../parts/form.tsx'
import { ActionNote } from '../../parts/problem/action-note.tsx'
import { serviceErrorAt, serviceErrorBeside } from '../../parts/problem/field-errors.ts'
import { RequestButton } from '../../parts/request-button.tsx'
import { useDraft } from '../../state/drafts.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import {
  draftOfSchedule,
  NO_SCHEDULE,
  SCHEDULE_POINTERS,
  scheduleBodyOf,
  type ScheduleDraft,
  type ScheduleErrors,
} from './schedule-draft.ts'

const WORDS = wordTable({
  form: ['Put a schedule', '写入定时任务'],
  name: ['Name', '名称'],
  nameHelp: [
    '1 to 64 of A-Z a-z 0-9 _ -. A schedule of this name is replaced.',
    '1 至 64 个字符：A-Z a-z 0-9 _ -。同名的定时任务会被替换。',
  ],
  cron: ['Cron', 'Cron 表达式'],
  cronHelp: [
    'Minute, hour, day, month, day of the week: 0 9 * * MON-FRI. Or an interval.',
    '分 时 日 月 星期：0 9 * * MON-FRI。或填写间隔。',
  ],
  every_s: ['Interval (s)', '间隔（秒）'],
  timezone: ['Zone', '时区'],
  timezoneHelp: ['Such as Europe/Berlin. Empty: that of the service.', '例如 Asia/Shanghai。留空：服务的时区。'],
  overlap: ['While an earlier run is open', '前一次运行未结束时'],
  rules: [
    { skip: 'skip the tick', queue: 'let it wait', replace: 'cancel the earlier run' },
    { skip: '跳过本次', queue: '等待', replace: '取消前一次' },
  ],
  agent: ['Agent', '智能体'],
  goal: ['Goal', '目标'],
  goalHelp: [
    '{{scheduled_date}}, {{scheduled_time}}, {{scheduled_at}} and {{schedule}} are filled in.',
    '{{scheduled_date}}、{{scheduled_time}}、{{scheduled_at}} 和 {{schedule}} 会被填入。',
  ],
  input: ['Input of the agent as JSON', '智能体的输入（JSON）'],
  more: ['More members as JSON', '其他成员（JSON）'],
  moreHelp: [
    'Such as {"missed": "once", "task": {"settings": {"max_steps": 5}}}',
    '例如 {"missed": "once", "task": {"settings": {"max_steps": 5}}}',
  ],
  put: ['Put the schedule', '写入定时任务'],
  done: [(name: string) => `${name} is stored.`, (name) => `${name} 已保存。`],
  errors: [
    { number: 'This is no number of seconds.', object: 'This is no JSON object.' },
    { number: '这不是秒数。', object: '这不是 JSON 对象。' },
  ],
})

/** `of` null: the form puts a new one. */
export function ScheduleForm({ of, onDone }: { of: ScheduleView | null; onDone: () => void }) {
  const words = useWords(WORDS)
  const draft = useDraft(
    of === null ? 'schedule' : `schedule:${of.name}`,
    of === null ? NO_SCHEDULE : draftOfSchedule(of),
  )
  const [done, setDone] = useState('')
  const [own, setOwn] = useState<ScheduleErrors>({})
  const action = useAction()
  const { name } = draft.value
  const { body, errors } = scheduleBodyOf(draft.value)
  const request: ApiRequest = { method: 'PUT', path: `/schedules/${encodeURIComponent(name)}`, json: body }
  const submit = async () => {
    setDone('')
    action.clear()
    setOwn(errors)
    if (Object.keys(errors).length > 0) return
    const answer = await action.run(request)
    if (answer?.ok !== true) return
    setDone(name)
    draft.clear()
    onDone()
  }
  const errorAt = (field: keyof ScheduleDraft) => {
    const mine = own[field]
    if (mine !== undefined) return words.errors[mine]
    return field === 'more'
      ? serviceErrorBeside(action.problem, Object.values(SCHEDULE_POINTERS))
      : serviceErrorAt(action.problem, SCHEDULE_POINTERS[field])
  }
  const change = (part: Partial<ScheduleDraft>) => draft.change((now) => ({ ...now, ...part }))
  return (
    <form class="card stack" aria-label={words.form} onSubmit={handleSubmit(() => void submit())}>
      <Fields draft={draft.value} {...{ change, errorAt }} isNew={of === null} />
      <div class="row">
        <RequestButton
          type="submit"
          kind="main"
          text={words.put}
          busy={action.busy}
          request={name === '' ? null : request}
        />
        <output class="small">{done === '' ? '' : words.done(done)}</output>
      </div>
      <ActionNote of={action} />
    </form>
  )
}

interface FieldsProps {
  draft: ScheduleDraft
  change: (part: Partial<ScheduleDraft>) => void
  errorAt: (field: keyof ScheduleDraft) => string | null
  isNew: boolean
}

function Fields({ draft, change, errorAt, isNew }: FieldsProps) {
  const words = useWords(WORDS)
  const at = (field: Exclude<keyof ScheduleDraft, 'overlap'>) => ({
    label: words[field],
    error: errorAt(field),
    value: draft[field],
    spellcheck: false,
    change: (text: string) => change({ [field]: text }),
  })
  return (
    <>
      <div class="fields">
        {isNew && <InputField {...at('name')} help={words.nameHelp} autocomplete="off" required maxLength={64} />}
        <InputField {...at('cron')} help={words.cronHelp} />
        <InputField {...at('every_s')} inputMode="numeric" />
        <InputField {...at('timezone')} help={words.timezoneHelp} />
        <SelectField
          label={words.overlap}
          error={errorAt('overlap')}
          value={draft.overlap}
          options={OVERLAP_RULES.map((rule) => [rule, words.rules[rule]] as const)}
          change={(overlap) => change({ overlap })}
        />
        <InputField {...at('agent')} />
      </div>
      <TextAreaField {...at('goal')} help={words.goalHelp} rows={3} />
      <TextAreaField {...at('input')} class="json" rows={3} />
      <TextAreaField {...at('more')} help={words.moreHelp} class="json" rows={3} />
    </>
  )
}
