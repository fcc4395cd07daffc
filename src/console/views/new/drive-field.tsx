/** The choice of the drive: the task advances by requests, or the service drives it. */
import { Field } from '../../parts/field.tsx'
import { useWords } from '../../state/preferences.tsx'
import type { DraftForm } from './task-draft.ts'
import { Choice } from './mode-field.tsx'

const WORDS = {
  en: {
    legend: 'Drive',
    manual: 'By requests',
    manualText: 'Advances while you step it, some rounds at a time.',
    background: 'By the service',
    backgroundText: 'The service works it off by itself and stops where it needs you.',
    withFiles: 'Not with files: they have to be there before the task begins.',
    rounds: 'Rounds to begin with',
    roundsHelp: '0 only plans; at most 50.',
    noRounds: 'With files the task is made without a round; you step it when they are there.',
  },
  zh: {
    legend: '驱动方式',
    manual: '由请求推进',
    manualText: '由您逐次推进，每次若干轮。',
    background: '由服务推进',
    backgroundText: '由服务自行推进，需要您时才停下。',
    withFiles: '有文件时不可用：文件须在任务开始前就位。',
    rounds: '开始时执行的轮数',
    roundsHelp: '0 表示只制定计划；最多 50。',
    noRounds: '有文件时，创建任务时不执行任何轮次；文件就位后由您推进。',
  },
}

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
        <Field label={words.rounds} help={words.roundsHelp} error={error('/rounds')}>
          {(attributes) => (
            <input
              {...attributes}
              class="new-number"
              type="text"
              inputMode="numeric"
              value={draft.rounds}
              onInput={({ currentTarget }) => change({ rounds: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  )
}
