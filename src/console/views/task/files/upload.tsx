/** Puts a file of the reader's under a name that the service takes, and says how far it is. */
import { useState } from 'preact/hooks'
import { ofTask, type ApiRequest } from '../../../api/request.ts'
import type { FileView, Problem } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { ProblemNote } from '../../../parts/problem.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'
import { fittedName } from './names.ts'

const WORDS = {
  en: {
    choose: 'Put a table here',
    help: 'csv, tsv, json, xlsx or xls; 50 MiB at most, a spreadsheet 10 MiB. One of the same name is replaced.',
    name: 'Its name in the task',
    put: 'Upload',
    sent: (percent: number) => `${percent} % sent`,
    done: (name: string) => `${name} is there.`,
  },
  zh: {
    choose: '上传表格',
    help: 'csv、tsv、json、xlsx 或 xls；最大 50 MiB，电子表格最大 10 MiB。同名文件会被替换。',
    name: '在任务中的文件名',
    put: '上传',
    sent: (percent: number) => `已发送 ${percent}%`,
    done: (name: string) => `${name} 已上传。`,
  },
}
const ENDINGS = '.csv,.tsv,.json,.xlsx,.xls'
const PERCENT = 100

interface Chosen {
  file: File
  /** What it will be called. */
  name: string
}
interface Sending {
  /** Of what is on its way; null: nothing is. */
  share: number | null
  problem: Problem | null
  done: string
}
const STILL: Sending = { share: null, problem: null, done: '' }

export function Upload({ onPut }: { onPut: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const [chosen, choose] = useState<Chosen | null>(null)
  // Another one each time: a control for files cannot be emptied otherwise.
  const [turn, next] = useState(0)
  const { share, problem, done, put, clear } = useSending(() => {
    choose(null)
    next(turn + 1)
    onPut()
  })
  const request: ApiRequest | null =
    chosen === null ? null : { method: 'PUT', path: ofTask(task.id, 'files', chosen.name), file: chosen.file }
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (request !== null) void put(request)
      }}
    >
      <Field label={words.choose} help={words.help}>
        {(ties) => (
          <input
            key={turn}
            {...ties}
            type="file"
            accept={ENDINGS}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              choose(file === undefined ? null : { file, name: fittedName(file.name) })
              clear()
            }}
          />
        )}
      </Field>
      {chosen !== null && request !== null && (
        <Named chosen={chosen} request={request} share={share} rename={(name) => choose({ ...chosen, name })} />
      )}
      <ProblemNote problem={problem} />
      <output class="small">{done !== '' && `✓ ${words.done(done)}`}</output>
    </form>
  )
}

interface NamedProps {
  chosen: Chosen
  request: ApiRequest
  share: number | null
  rename: (name: string) => void
}

function Named({ chosen, request, share, rename }: NamedProps) {
  const words = useWords(WORDS)
  const sent = words.sent(Math.round((share ?? 0) * PERCENT))
  return (
    <>
      <Field label={words.name}>
        {(ties) => (
          <input
            {...ties}
            value={chosen.name}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => rename(currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <Button kind="main" type="submit" busy={share !== null}>
          {words.put}
        </Button>
        {share !== null && (
          <progress value={share} aria-label={sent}>
            {sent}
          </progress>
        )}
        <span class="push">
          <CopyCurl request={request} of={words.put} />
        </span>
      </div>
    </>
  )
}

function useSending(onDone: () => void) {
  const client = useClient()
  const [state, set] = useState(STILL)
  const put = async (request: ApiRequest) => {
    if (state.share !== null) return
    set({ ...STILL, share: 0 })
    const answer = await client.sendFile<FileView>(request, (share) => set({ ...STILL, share }))
    if (!answer.ok) return set({ ...STILL, problem: answer.problem })
    set({ ...STILL, done: answer.value.name })
    onDone()
  }
  return { ...state, put, clear: () => set(STILL) }
}
