/** The form that uploads a file under a name that the service accepts, and shows the progress. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fileNameFor } from '../../../api/file-names.ts'
import { uploadFiles, uploadRequest, newUpload, type ChosenFile, type FileUpload } from '../../../api/upload-files.ts'
import type { ApiRequest } from '../../../api/request.ts'
import { newUuid } from '../../../api/uuid.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/field.tsx'
import { handleSubmit, InputField } from '../../../parts/form.tsx'
import { ProblemNote } from '../../../parts/problem/problem.tsx'
import { UploadProgress } from '../../../parts/upload-progress.tsx'
import { drafts, taskDraftKey } from '../../../state/drafts.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useClient } from '../../../state/session.tsx'
import { useMounted } from '../../../state/use-mounted.ts'
import { useTask } from '../task-context.tsx'

const WORDS = wordTable({
  choose: ['Put a table here', '上传表格'],
  help: [
    'csv, tsv, json, xlsx or xls; 50 MiB at most, a spreadsheet 10 MiB; an image (png, jpg, webp, gif) 5 MiB. One of the same name is replaced.',
    'csv、tsv、json、xlsx 或 xls；最大 50 MiB，电子表格最大 10 MiB；图片（png、jpg、webp、gif）最大 5 MiB。同名文件会被替换。',
  ],
  choose_wanted: ['Put the file here', '上传文件'],
  help_wanted: [(endings: string) => `A file that ends with ${endings}.`, (endings) => `以 ${endings} 结尾的文件。`],
  name: ['Its name in the task', '在任务中的文件名'],
  put: ['Upload', '上传'],
  done: [(name: string) => `${name} is there.`, (name) => `${name} 已上传。`],
})
const ENDINGS = ['csv', 'tsv', 'json', 'xlsx', 'xls', 'md', 'txt', 'png', 'jpg', 'jpeg', 'webp', 'gif']

interface UploadFormProps {
  onUpload: () => void
  /** The file that the task waits for. Without a name it keeps its own. */
  wanted?: { name: string | null; endings: readonly string[] }
}

export function UploadForm({ onUpload, wanted }: UploadFormProps) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  // The control gets a new key each time, because a control for files cannot be emptied.
  const [controlKey, setControlKey] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    // The button is gone with the chosen file.
    if (controlKey > 0 && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('input[type="file"]')?.focus()
  }, [controlKey])
  const { share, problem, done, put, clear } = useUpload(task.id, () => {
    setChosen(null)
    setControlKey(controlKey + 1)
    onUpload()
  })
  const accept = (wanted?.endings ?? ENDINGS).map((ending) => `.${ending}`)
  const label = wanted === undefined ? words.choose : words.choose_wanted
  const help = wanted === undefined ? words.help : words.help_wanted(accept.join(', '))
  return (
    <form ref={form} class="card stack" onSubmit={handleSubmit(() => chosen !== null && put(chosen))}>
      <Field label={label} help={help}>
        {(attributes) => (
          <input
            key={controlKey}
            {...attributes}
            type="file"
            disabled={share !== null}
            accept={accept.join(',')}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              setChosen(file === undefined ? null : { file, name: wanted?.name ?? fileNameFor(file.name) })
              clear()
            }}
          />
        )}
      </Field>
      {chosen !== null && (
        <NameField
          chosen={chosen}
          request={uploadRequest(task.id, chosen)}
          share={share}
          rename={(name) => setChosen({ ...chosen, name })}
        />
      )}
      <ProblemNote problem={problem} />
      <output class="small">{done !== '' && `✓ ${words.done(done)}`}</output>
    </form>
  )
}

interface NameFieldProps {
  chosen: ChosenFile
  request: ApiRequest
  share: number | null
  rename: (name: string) => void
}

function NameField({ chosen, request, share, rename }: NameFieldProps) {
  const words = useWords(WORDS)
  return (
    <>
      <InputField label={words.name} value={chosen.name} change={rename} autocomplete="off" spellcheck={false} />
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

function useUpload(id: string, onDone: () => void) {
  const client = useClient()
  const mounted = useMounted()
  const [upload, setUpload] = useState<FileUpload | null>(null)
  const put = async (chosen: ChosenFile) => {
    if (upload?.state === 'sending') return
    // Leaving the page would break the upload, so it is stored as a draft.
    const draftKey = taskDraftKey(id, `upload:${newUuid()}`)
    drafts.keep(draftKey, chosen.name)
    const [last] = await uploadFiles(client, id, [newUpload(chosen)], ([latest = null]) => {
      if (mounted.current) setUpload(latest)
    })
    drafts.drop(draftKey)
    if (mounted.current && last?.state === 'there') onDone()
  }
  return {
    /** The share that is sent; null if nothing is being sent. */
    share: upload?.state === 'sending' ? upload.share : null,
    problem: upload?.problem ?? null,
    done: upload?.state === 'there' ? upload.name : '',
    put,
    clear: () => setUpload(null),
  }
}
