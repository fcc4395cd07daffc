/** Sends the answer to a request, and notes with its draft what became of it. */
import { useRef } from 'preact/hooks'
import { isUnanswered, type Answer } from '../../../api/client.ts'
import { ofTask, post, type ApiRequest } from '../../../api/request.ts'
import type { Told } from '../../../api/wire.ts'
import { useTask, useTaskAction, type TaskAction } from '../task-context.tsx'
import type { DraftChange, Sent } from './drafts.ts'

export interface Answering extends TaskAction {
  request(answer: string): ApiRequest
  /** `typed`: what stands in the form; null: it is busy already. */
  send(answer: string, typed: string): Promise<Answer<Told> | null>
}

export function useAnswering(request_id: string, keep: (change: DraftChange) => void): Answering {
  const { task } = useTask()
  const action = useTaskAction()
  // A later one that is refused does not tell what became of this one.
  const unknown = useRef<Sent | null>(null)
  const request = (input: string) => post(ofTask(task.id, 'input'), { input, request_id })
  return {
    ...action,
    request,
    async send(answer, typed) {
      if (action.busy) return null
      const sent: Sent = { answer, typed, state: 'under_way' }
      keep({ request_id, sent })
      const told = await action.run(request(answer))
      if (told !== null && isUnanswered(told)) unknown.current = { ...sent, state: 'unknown' }
      keep({ request_id, sent: told?.ok === true ? { ...sent, state: 'taken' } : unknown.current })
      return told
    },
  }
}
