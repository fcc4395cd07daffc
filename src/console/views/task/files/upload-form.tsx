/** Puts a file of the reader's under a name that the service takes, and says how far it is. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fileNameFor } from '../../../api/file-names.ts'
import {
  uploadFiles,
  uploadRequest,
  newUpload,
  type ChosenFile,
  type FileUpload as Put,
} from '../../../api/upload-files.ts'
import type { ApiRequest } from '../../../api/request.ts'
import { newUuid } from '../../../api/uuid.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { UploadProgress } from '../../../parts/upload-progress.tsx'
import { drafts, taskDraftKey } from '../../../state/drafts.ts'
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

export function UploadForm({ onPut }: { onPut: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const [chosen, choose] = useState<ChosenFile | null>(null)
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
        {(attributes) => (
          <input
            key={turn}
            {...attributes}
            type="file"
            disabled={share !== null}
            accept={ENDINGS}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              choose(file === undefined ? null : { file, name: fileNameFor(file.name) })
              clear()
            }}
          />
        )}
      </Field>
      {chosen !== null && (
        <Named
          chosen={chosen}
          request={uploadRequest(task.id, chosen)}
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
  chosen: ChosenFile
  request: ApiRequest
  share: number | null
  rename: (name: string) => void
}

function Named({ chosen, request, share, rename }: NamedProps) {
  const words = useWords(WORDS)
  return (
    <>
      <Field label={words.name}>
        {(attributes) => (
          <input
            {...attributes}
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
        {share !== null && <UploadProgress share={share} />}
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
  const put = async (chosen: ChosenFile) => {
    if (upload?.state === 'sending') return
    // Leaving the page would cut it off.
    const unsaved = taskDraftKey(id, `upload:${newUuid()}`)
    drafts.keep(unsaved, chosen.name)
    const [sent] = await uploadFiles(client, id, [newUpload(chosen)], ([told = null]) => {
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
