/** The form for a person's report on a command. The typed text stays until it is recorded, even if the report is not awaited any more. */
import { useRef } from 'preact/hooks'
import { post } from '../../api/request.ts'
import type { DelegationView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { handleSubmit, InputField, SelectField, TextAreaField } from '../../parts/form.tsx'
import { useDraft } from '../../state/drafts.ts'
import { RequestButton } from '../../parts/request-button.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { ReportProblem } from './report-problem.tsx'
import { newReportDraft, REPORT_OUTCOMES, reportBody, type ReportDraft } from './report-draft.ts'

const WORDS = wordTable({
  title: ['Report on it', '提交报告'],
  status: ['Outcome', '结果'],
  SUCCESS: ['success', '成功'],
  PARTIAL_SUCCESS: ['partly done', '部分完成'],
  FAILED: ['failed', '失败'],
  UNKNOWN: ['not known', '不确定'],
  text: ['The whole report', '报告全文'],
  results: ['Results', '核心成果'],
  pitfalls: ['Pitfalls', '填坑记录'],
  next_steps: ['Next steps', '下一步建议'],
  session_id: ['Session', '会话'],
  session_help: ['The session that it was done in; later commands continue it.', '执行所在的会话，后续命令会继续它。'],
  command_id: ['Command', '命令'],
  command_help: ['A report about another command is refused.', '针对其他命令的报告会被拒绝。'],
  spent: ['What was used of the budget', '预算使用情况'],
  tokens: ['Tokens', 'token 数'],
  cost_usd: ['USD', '美元'],
  seconds: ['Seconds', '秒'],
  spent_help: ['What nobody states of a share is charged in full.', '未说明的份额按全额计费。'],
  send: ['Send report', '提交报告'],
  discard: ['Discard it', '丢弃草稿'],
})
type Texts = Exclude<keyof ReportDraft, 'status'>
interface PartsProps {
  draft: ReportDraft
  onChange: (part: Partial<ReportDraft>) => void
}

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
    <form ref={form} class="stack" aria-label={words.title} onSubmit={handleSubmit(send)}>
      <h3>{words.title}</h3>
      <ReportFields draft={draft} onChange={(part) => change((before) => ({ ...before, ...part }))} />
      <div class="row">
        <RequestButton type="submit" kind="main" text={words.send} busy={action.busy} request={request} />
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

/** Returns the props of the field for a text of the report. */
function useTextField({ draft, onChange }: PartsProps) {
  const words = useWords(WORDS)
  return (name: Texts) => ({
    label: words[name],
    value: draft[name],
    change: (value: string) => onChange({ [name]: value }),
  })
}

function ReportFields(props: PartsProps) {
  const words = useWords(WORDS)
  const { draft, onChange } = props
  const field = useTextField(props)
  return (
    <>
      <div class="delegation-form">
        <SelectField
          label={words.status}
          value={draft.status}
          options={REPORT_OUTCOMES.map((name) => [name, `${words[name]} (${name})`])}
          change={(status) => onChange({ status })}
        />
        <InputField {...field('session_id')} help={words.session_help} autocomplete="off" />
        <InputField {...field('command_id')} help={words.command_help} autocomplete="off" />
      </div>
      <TextAreaField {...field('results')} rows={3} />
      <TextAreaField {...field('pitfalls')} rows={2} />
      <TextAreaField {...field('next_steps')} rows={2} />
      <TextAreaField {...field('text')} rows={4} />
      <SpentFields {...props} />
    </>
  )
}

function SpentFields(props: PartsProps) {
  const words = useWords(WORDS)
  const field = useTextField(props)
  return (
    <fieldset>
      <legend class="small">{words.spent}</legend>
      <p class="soft small">{words.spent_help}</p>
      <div class="delegation-form">
        <InputField {...field('tokens')} type="number" min={0} step={1} />
        <InputField {...field('cost_usd')} inputMode="decimal" placeholder="0.50" />
        <InputField {...field('seconds')} type="number" min={0} step={1} />
      </div>
    </fieldset>
  )
}
