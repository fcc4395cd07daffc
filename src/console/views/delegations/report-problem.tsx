/** A refused claim or report: the words of the service, and what the reader can do now. */
import type { Problem } from '../../api/wire.ts'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable<Record<string, string>>({
  already_reported: [
    'The first report counts; yours was not taken. It stays here to be copied. The task has gone on with the other one.',
    '以先到的报告为准，您的报告未被采纳；内容仍保留在此，可复制。任务已按另一份报告继续。',
  ],
  delegation_expired: [
    'Too late: the task has gone on as if the step had failed. Your report stays here to be copied, for example as an instruction to the task.',
    '已过期限：任务已按该步骤失败继续。您的报告仍保留在此，可复制，例如作为指令发给任务。',
  ],
  delegation_canceled: [
    'Nobody waits for this report any more. It stays here to be copied.',
    '已经没有人等待这份报告。内容仍保留在此，可复制。',
  ],
  wrong_command: [
    'Correct the id of the command, or open the delegation that it belongs to. Nothing is lost.',
    '请更正命令编号，或打开它所属的委派。内容没有丢失。',
  ],
  delegation_claimed: [
    'Somebody works on it. A report is taken all the same: whoever reports first counts.',
    '已有人在处理。仍然可以提交报告：以先提交者为准。',
  ],
})

export function ReportProblem({ problem }: { problem: Problem | null }) {
  const words = useWords(WORDS)
  const next = problem === null ? undefined : words[problem.code]
  return (
    <>
      <ProblemNote problem={problem} />
      {next !== undefined && <p>{next}</p>}
    </>
  )
}
