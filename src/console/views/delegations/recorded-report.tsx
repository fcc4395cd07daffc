/** The recorded report, as it was sent. */
import type { DelegationView } from '../../api/wire.ts'
import { Copy } from '../../parts/copy.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  title: ['The report', '报告'],
  session_id: ['Session', '会话'],
  results: ['Results', '核心成果'],
  pitfalls: ['Pitfalls', '填坑记录'],
  next_steps: ['Next steps', '下一步建议'],
  text: ['The whole report', '报告全文'],
  json: ['JSON', 'JSON'],
})
const SECTIONS = ['results', 'pitfalls', 'next_steps', 'text'] as const

export function RecordedReport({ report }: { report: NonNullable<DelegationView['report']> }) {
  const words = useWords(WORDS)
  return (
    <section class="stack" aria-label={words.title}>
      <div class="row">
        <h3 tabIndex={-1} class="delegation-recorded">
          {words.title}
        </h3>
        <code>{report.status}</code>
        <span class="push" />
        <Copy text={JSON.stringify(report, null, 2)}>{words.json}</Copy>
      </div>
      {report.session_id !== null && (
        <p class="small">
          <span class="soft">{words.session_id}</span> <code>{report.session_id}</code>
        </p>
      )}
      {SECTIONS.map((name) => {
        const text = report[name]
        return text === null || text === '' ? null : (
          <div key={name}>
            <h4 class="small soft">{words[name]}</h4>
            <Markdown text={text} />
          </div>
        )
      })}
    </section>
  )
}
