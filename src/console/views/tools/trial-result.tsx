/** What a call outside of any task has come to. Its text comes from the tool, and is shown as a text. */
import type { ToolTrial } from '../../api/wire.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  ok: ['It succeeded', '调用成功'],
  failed: ['It failed', '调用失败'],
  asked: [
    'The tool asks a person. In a task its call goes on with the answer; here it was given up.',
    '工具需要询问人员。在任务中，调用会在得到回答后继续；在这里已放弃。',
  ],
  outside: [
    'The tool works on outside. In a task its call is looked at again later; here it was given up.',
    '工具在外部继续工作。在任务中会稍后再次查看；在这里已放弃。',
  ],
  text: ['What a model would see', '模型将看到的内容'],
  answer: ['The answer that it wants', '所需的回答'],
  image: [
    (name: string, width: number, height: number, bytes: number) => `${name}: ${width} × ${height}, ${bytes} bytes`,
    (name, width, height, bytes) => `${name}：${width} × ${height}，${bytes} 字节`,
  ],
})

export function TrialResult({ of }: { of: ToolTrial | null }) {
  const words = useWords(WORDS)
  if (of === null) return <output />
  if ('held' in of) {
    const { held } = of
    const isQuestion = held.kind === 'asked'
    const text = isQuestion ? held.question.text : (held.message ?? '')
    return (
      <div class="stack">
        <output>{isQuestion ? words.asked : words.outside}</output>
        {text !== '' && <p class="said">{text}</p>}
        {isQuestion && held.question.schema !== null && (
          <pre aria-label={words.answer}>{JSON.stringify(held.question.schema, null, 2)}</pre>
        )}
      </div>
    )
  }
  return (
    <div class="stack">
      <output>
        {of.ok ? words.ok : words.failed} <code>{of.code}</code>
      </output>
      <h3>{words.text}</h3>
      <pre>{of.text}</pre>
      {of.images?.map(({ name, width, height, bytes }) => (
        <p key={name} class="small">
          {words.image(name, width, height, bytes)}
        </p>
      ))}
    </div>
  )
}
