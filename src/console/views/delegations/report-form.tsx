/** The form for a person's report on a command. The typed text stays until it is recorded, even if the report is not awaited any more. */
import { useRef } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DelegationView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { useDraft } from '../../state/drafts.ts'
import { useWords } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { ReportProblem } from './report-problem.tsx'
import { newReportDraft, REPORT_OUTCOMES, reportBody, type ReportDraft } from './report-draft.ts'

const WORDS = {
  en: {
    title: 'Report on it',
    status: 'Outcome',
    SUCCESS: 'success',
    PARTIAL_SUCCESS: 'partly done',
    FAILED: 'failed',
    UNKNOWN: 'not known',
    text: 'The whole report',
    results: 'Results',
    pitfalls: 'Pitfalls',
    next_steps: 'Next steps',
    session_id: 'Session',
    session_help: 'The session that it was done in; later commands continue it.',
    command_id: 'Command',
    command_help: 'A report about another command is refused.',
    spent: 'What was used of the budget',
    tokens: 'Tokens',
    cost_usd: 'USD',
    seconds: 'Seconds',
    spent_help: 'What nobody states of a share is charged in full.',
    send: 'Send report',
    discard: 'Discard it',
  },
  zh: {
    title: '提交报告',
    status: '结果',
    SUCCESS: '成功',
    PARTIAL_SUCCESS: '部分完成',
    FAILED: '失败',
    UNKNOWN: '不确定',
    text: '报告全文',
    results: '核心成果',
    pitfalls: '填坑记录',
    next_steps: '下一步建议',
    session_id: '会话',
    session_help: '执行所在的会话，后续命令会继续它。',
    command_id: '命令',
    command_help: '针对其他命令的报告会被拒绝。',
    spent: '预算使用情况',
    tokens: 'token 数',
    cost_usd: '美元',
    seconds: '秒',
    spent_help: '未说明的份额按全额计费。',
    send: '提交报告',
    discard: '丢弃草稿',
  },
}
type Texts = Exclude<keyof ReportDraft, 'status'>
interface PartsProps {
  draft: ReportDraft
  onChange: (part: Partial<ReportDraft>) => void
}
type TextInput = { currentTarget: HTMLInputElement | HTMLTextAreaElement }
const inputOf =
  ({ draft, onChange }: PartsProps) =>
  (name: Texts) => ({
    value: draft[name],
    onInput: ({ currentTarget: { value } }: TextInput) => onChange({ [name]: value }),
  })

interface Props {
  delegation: DelegationView
  path: string
  /** Whether a report may still be accepted. */
  isWanted: boolean
  onReport: (delegation: DelegationView) => void
  /** Reads the delegation again, because a refusal may mean that it has changed. */
  onRefusal: () => void
}

export function ReportForm({ delegation, path, isWanted, onReport, onRefusal }: Props) {
  const words = useWords(WORDS)
  const action = useAction()
  const { value: draft, isTouched, change, clear } = useDraft(`report:${delegation.id}`, newReportDraft(delegation))
  const form = useRef<HTMLFormElement>(null)
  const request = post(`${path}/report`, reportBody(draft))
  const send = async () => {
    const answer = await action.run<DelegationView>(request)
    if (answer?.ok === true) {
      clear()
      onReport(answer.value)
    } else if (answer !== null) onRefusal()
  }
  const discard = () => {
    // The button disappears, and so does the form if no report is awaited.
    const next = isWanted ? form.current?.querySelector('select') : form.current?.closest<HTMLElement>('[tabindex]')
    clear()
    action.clear()
    next?.focus()
  }
  if (!isWanted && !isTouched) return null
  return (
    <form
      ref={form}
      class="stack"
      aria-label={words.title}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <h3>{words.title}</h3>
      <ReportFields draft={draft} onChange={(part) => change((before) => ({ ...before, ...part }))} />
      <div class="row">
        <Button type="submit" kind="main" busy={action.busy}>
          {words.send}
        </Button>
        <CopyCurl request={request} of={words.send} />
        {isTouched && (
          <Button kind="quiet" onClick={discard}>
            {words.discard}
          </Button>
        )}
      </div>
      <ReportProblem problem={action.problem} />
    </form>
  )
}

function ReportFields(props: PartsProps) {
  const words = useWords(WORDS)
  const { draft, onChange } = props
  const input = inputOf(props)
  const area = (name: Texts, rows: number) => (
    <Field label={words[name]}>{(attributes) => <textarea {...attributes} {...input(name)} rows={rows} />}</Field>
  )
  return (
    <>
      <div class="delegation-form">
        <Field label={words.status}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.status}
              onChange={({ currentTarget: { value } }) =>
                onChange({ status: REPORT_OUTCOMES.find((name) => name === value) ?? 'UNKNOWN' })
              }
            >
              {REPORT_OUTCOMES.map((name) => (
                <option key={name} value={name}>
                  {words[name]} ({name})
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.session_id} help={words.session_help}>
          {(attributes) => <input {...attributes} {...input('session_id')} autocomplete="off" />}
        </Field>
        <Field label={words.command_id} help={words.command_help}>
          {(attributes) => <input {...attributes} {...input('command_id')} autocomplete="off" />}
        </Field>
      </div>
      {area('results', 3)}
      {area('pitfalls', 2)}
      {area('next_steps', 2)}
      {area('text', 4)}
      <SpentFields {...props} />
    </>
  )
}

function SpentFields(props: PartsProps) {
  const words = useWords(WORDS)
  const input = inputOf(props)
  return (
    <fieldset>
      <legend class="small">{words.spent}</legend>
      <p class="soft small">{words.spent_help}</p>
      <div class="delegation-form">
        <Field label={words.tokens}>
          {(attributes) => <input {...attributes} {...input('tokens')} type="number" min={0} step={1} />}
        </Field>
        <Field label={words.cost_usd}>
          {(attributes) => <input {...attributes} {...input('cost_usd')} inputMode="decimal" placeholder="0.50" />}
        </Field>
        <Field label={words.seconds}>
          {(attributes) => <input {...attributes} {...input('seconds')} type="number" min={0} step={1} />}
        </Field>
      </div>
    </fieldset>
  )
}
