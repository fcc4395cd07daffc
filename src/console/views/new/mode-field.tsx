/** The choice of the mode, with a line about the use of each. */
import { MODES } from '../../api/mode-traits.ts'
import type { ModeName } from '../../api/wire.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable<{ legend: string } & Record<ModeName, string>>({
  legend: ['Mode', '模式'],
  plan_execute: [
    'Plans first, then works the steps off with tools. For errands, searches, todos and dates.',
    '先制定计划，再用工具逐步执行。适合办事、搜索、待办和日程。',
  ],
  dynamic: [
    'Judges every step after each action, and adds or drops steps. For goals that change on the way.',
    '每次操作后判断步骤是否完成，并随时增减步骤。适合边做边变的目标。',
  ],
  session: [
    'A conversation with tools that goes on when you answer. For work you want to talk about.',
    '带工具的对话，您回复后继续。适合需要边聊边做的工作。',
  ],
  autonomous: [
    'Explores a data file, runs code on it in a sandbox and writes a report. For analyses.',
    '探索数据文件，在沙箱中运行代码并撰写报告。适合数据分析。',
  ],
  orchestrator: [
    'Hands its steps to workers of yours and weighs their reports. For long work done elsewhere.',
    '把步骤交给您自己的外部执行者，并评估其报告。适合在别处完成的长期工作。',
  ],
})

export function ModeField({ mode, choose }: { mode: ModeName; choose: (mode: ModeName) => void }) {
  const words = useWords(WORDS)
  return (
    <fieldset class="new-modes">
      <legend>{words.legend}</legend>
      {MODES.map((name) => (
        <Choice
          key={name}
          group="mode"
          title={name}
          text={words[name]}
          chosen={name === mode}
          choose={() => choose(name)}
        />
      ))}
    </fieldset>
  )
}

interface Props {
  group: string
  title: string
  text: string
  chosen: boolean
  disabled?: boolean
  choose: () => void
}

/** A radio button that is drawn as a card. */
export function Choice({ group, title, text, chosen, disabled = false, choose }: Props) {
  return (
    <label class="new-choice">
      <input type="radio" name={group} checked={chosen} disabled={disabled} onChange={choose} />
      <strong>{title}</strong>
      <span class="soft small">{text}</span>
    </label>
  )
}
