/** Sends the answer to a request, and notes with its draft what became of it. */
import { useState } from 'preact/hooks'
import { isUnanswered, type Answer } from '../../../api/client.ts'
import { ofTask, post, type ApiRequest } from '../../../api/request.ts'
import type { CommandResult, Told } from '../../../api/wire.ts'
import { useTask, useTaskAction, type TaskAction } from '../task-context.tsx'
import type { DraftChange, Sent } from './drafts.ts'

export interface Answering extends TaskAction {
  request(answer: string): ApiRequest
  /** What a command has answered that was sent instead of an answer; null: none was. */
  command: CommandResult | null
  /** `typed`: what stands in the form; null: it is busy already. */
  send(answer: string, typed: string): Promise<Answer<Told> | null>
}

export function useAnswering(request_id: string, keep: (change: DraftChange) => void): Answering {
  const { task } = useTask()
  const action = useTaskAction()
  const [command, show] = useState<CommandResult | null>(null)
  const request = (input: string) => post(ofTask(task.id, 'input'), { input, request_id })
  return {
    ...action,
    request,
    command,
    async send(answer, typed) {
      if (action.busy) return null
      show(null)
      const sent: Sent = { answer, typed, state: 'under_way' }
      keep({ request_id, sent })
      const told = await action.run(request(answer))
      const asked = told?.ok === true ? told.value.command : undefined
      show(asked ?? null)
      // It was no answer: what it was asked for is still open.
      const isTaken = told?.ok === true && asked === undefined
      const isUnknown = told !== null && isUnanswered(told)
      keep({
        request_id,
        sent: isTaken ? { ...sent, state: 'taken' } : isUnknown ? { ...sent, state: 'unknown' } : null,
      })
      return told
    },
  }
}
