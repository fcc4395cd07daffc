/** The choice of the drive: the task advances by requests, or the service drives it. */
import { InputField } from '../../parts/form.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import type { DraftForm } from './task-draft.ts'
import { Choice } from './mode-field.tsx'

const WORDS = wordTable({
  legend: ['Drive', '驱动方式'],
  manual: ['By requests', '由请求推进'],
  manualText: ['Advances while you step it, some rounds at a time.', '由您逐次推进，每次若干轮。'],
  background: ['By the service', '由服务推进'],
  backgroundText: [
    'The service works it off by itself and stops where it needs you.',
    '由服务自行推进，需要您时才停下。',
  ],
  withFiles: [
    'Not with files: they have to be there before the task begins.',
    '有文件时不可用：文件须在任务开始前就位。',
  ],
  rounds: ['Rounds to begin with', '开始时执行的轮数'],
  roundsHelp: ['0 only plans; at most 50.', '0 表示只制定计划；最多 50。'],
  noRounds: [
    'With files the task is made without a round; you step it when they are there.',
    '有文件时，创建任务时不执行任何轮次；文件就位后由您推进。',
  ],
})

export function DriveField({
  form: { draft, change, errorAt: error },
  hasFiles,
}: {
  form: DraftForm
  hasFiles: boolean
}) {
  const words = useWords(WORDS)
  return (
    <fieldset class="new-modes">
      <legend>{words.legend}</legend>
      <Choice
        group="drive"
        title={words.manual}
        text={words.manualText}
        chosen={draft.drive === 'manual'}
        choose={() => change({ drive: 'manual' })}
      />
      <Choice
        group="drive"
        title={words.background}
        text={hasFiles ? words.withFiles : words.backgroundText}
        chosen={draft.drive === 'background'}
        disabled={hasFiles}
        choose={() => change({ drive: 'background' })}
      />
      {hasFiles && <p class="soft small">{words.noRounds}</p>}
      {!hasFiles && draft.drive === 'manual' && (
        <InputField
          label={words.rounds}
          help={words.roundsHelp}
          error={error('/rounds')}
          class="new-number"
          inputMode="numeric"
          value={draft.rounds}
          change={(rounds) => change({ rounds })}
        />
      )}
    </fieldset>
  )
}
