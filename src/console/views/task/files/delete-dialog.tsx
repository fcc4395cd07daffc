/** Asks once more before a file is deleted. */
import { ofTask, type ApiRequest } from '../../../api/request.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { ProblemNote } from '../../../parts/problem.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useTask } from '../task-context.tsx'

const WORDS = {
  en: {
    title: (name: string) => `Delete ${name}?`,
    what: 'It is gone for good, also for the task itself.',
    delete: 'Delete',
    keep: 'Keep it',
  },
  zh: {
    title: (name: string) => `删除 ${name}？`,
    what: '删除后无法恢复，任务本身也无法再读取它。',
    delete: '删除',
    keep: '保留',
  },
}

export function DeleteDialog(props: { name: string; onClose: () => void; onDeleted: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { busy, problem, run } = useAction()
  const request: ApiRequest = { method: 'DELETE', path: ofTask(task.id, 'files', props.name) }
  const remove = async () => {
    const answer = await run(request)
    if (answer?.ok === true) props.onDeleted()
  }
  return (
    <Dialog title={words.title(props.name)} onClose={props.onClose}>
      <p>{words.what}</p>
      <ProblemNote problem={problem} />
      <div class="row">
        <Button kind="danger" busy={busy} onClick={() => void remove()}>
          {words.delete}
        </Button>
        <Button onClick={props.onClose}>{words.keep}</Button>
        <span class="push">
          <CopyCurl request={request} of={words.delete} />
        </span>
      </div>
    </Dialog>
  )
}
