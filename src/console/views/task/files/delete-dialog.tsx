/** Asks before a file is deleted. */
import { taskPath, type ApiRequest } from '../../../api/request.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { useWords } from '../../../state/preferences.tsx'
import { useAction } from '../../../state/use-action.ts'
import { useTask } from '../task-context.tsx'

const WORDS = {
  en: {
    title: (name: string) => `Delete ${name}`,
    text: 'It is gone for good, also for the task itself.',
  },
  zh: {
    title: (name: string) => `删除 ${name}`,
    text: '删除后无法恢复，任务本身也无法再读取它。',
  },
}

export function DeleteDialog({ name, ...props }: { name: string; onClose: () => void; onDelete: () => void }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const { busy, problem, run } = useAction()
  const request: ApiRequest = { method: 'DELETE', path: taskPath(task.id, 'files', name) }
  const confirm = async () => {
    const answer = await run(request)
    if (answer?.ok === true) props.onDelete()
  }
  return (
    <Confirm
      title={words.title(name)}
      text={words.text}
      {...{ request, busy, problem }}
      confirm={() => void confirm()}
      close={props.onClose}
    />
  )
}
