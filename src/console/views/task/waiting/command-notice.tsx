/** The result of a command that was sent in place of an answer, with a note that the request is still open. */
import type { CommandResult } from '../../../api/wire.ts'
import { CommandAnswer } from '../../../parts/command-answer.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'

const WORDS = wordTable({
  command: [
    'That was a command. It has answered, and your answer is still waited for:',
    '这是一条命令，结果如下；仍在等待您的回答：',
  ],
})

export function CommandNotice({ answer }: { answer: CommandResult | null }) {
  const words = useWords(WORDS)
  return (
    <>
      <output class="small">{answer !== null && words.command}</output>
      {answer !== null && <CommandAnswer answer={answer} />}
    </>
  )
}
