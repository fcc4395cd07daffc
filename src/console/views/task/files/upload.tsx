/** Puts a file of the reader's under a name that the service takes, and says how far it is. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fittingName } from '../../../api/file-names.ts'
import { putFiles, putOf, waiting, type Chosen, type Upload as Put } from '../../../api/put-files.ts'
import type { ApiRequest } from '../../../api/request.ts'
import { unique } from '../../../api/unique.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { ProblemNote } from '../../../parts/problem.tsx'
import { Sent } from '../../../parts/sent.tsx'
import { drafts, taskDraft } from '../../../state/drafts.ts'
import { useWords } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useMounted } from '../../../state/use-mounted.ts'
import { useTask } from '../task-context.tsx'

const WORDS = {
  en: {
    choose: 'Put a table here',
    help: 'csv, tsv, json, xlsx or xls; 50 MiB at most, a spreadsheet 10 MiB. One of the same name is replaced.',
    name: 'Its name in the task',
    put: 'Upload',
    done: (name: string) => `${name} is there.`,
  },
  zh: {
    choose: '上传表格',
    help: 'csv、tsv、json、xlsx 或 xls；最大 50 MiB，电子表格最大 10 MiB。同名文件会被替换。',
    name: '在任务中的文件名',
    put: '上传',
    done: (name: string) => `${name} 已上传。`,
  },
}
const ENDINGS = '.csv,.tsv,.json,.xlsx,.xls'

export function Upload({ onPut }: { onPut: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const [chosen, choose] = useState<Chosen | null>(null)
  // Another one each time: a control for files cannot be emptied otherwise.
  const [turn, next] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    // Its button is gone with what was chosen.
    if (turn > 0 && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('input[type="file"]')?.focus()
  }, [turn])
  const { share, problem, done, put, clear } = useSending(task.id, () => {
    choose(null)
    next(turn + 1)
    onPut()
  })
  return (
    <form
      ref={form}
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) void put(chosen)
      }}
    >
      <Field label={words.choose} help={words.help}>
        {(ties) => (
          <input
            key={turn}
            {...ties}
            type="file"
            disabled={share !== null}
            accept={ENDINGS}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              choose(file === undefined ? null : { file, name: fittingName(file.name) })
              clear()
            }}
          />
        )}
      </Field>
      {chosen !== null && (
        <Named
          chosen={chosen}
          request={putOf(task.id, chosen)}
          share={share}
          rename={(name) => choose({ ...chosen, name })}
        />
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
        {share !== null && <Sent share={share} />}
        <span class="push">
          <CopyCurl request={request} of={words.put} />
        </span>
      </div>
    </>
  )
}

function useSending(id: string, onDone: () => void) {
  const client = useClient()
  const mounted = useMounted()
  const [upload, set] = useState<Put | null>(null)
  const put = async (chosen: Chosen) => {
    if (upload?.state === 'sending') return
    // Leaving the page would cut it off.
    const unsaved = taskDraft(id, `upload:${unique()}`)
    drafts.keep(unsaved, chosen.name)
    const [sent] = await putFiles(client, id, [waiting(chosen)], ([told = null]) => {
      if (mounted.current) set(told)
    })
    drafts.drop(unsaved)
    if (mounted.current && sent?.state === 'there') onDone()
  }
  return {
    /** Of what is on its way; null: nothing is. */
    share: upload?.state === 'sending' ? upload.share : null,
    problem: upload?.problem ?? null,
    done: upload?.state === 'there' ? upload.name : '',
    put,
    clear: () => set(null),
  }
}
