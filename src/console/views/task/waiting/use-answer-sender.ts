/** Sends the answer to a request, and notes with its draft what became of it. */
import { useState } from 'preact/hooks'
import { isOutcomeUnknown, type ApiAnswer } from '../../../api/client.ts'
import { taskPath, post, type ApiRequest } from '../../../api/request.ts'
import type { CommandResult, InputResult } from '../../../api/wire.ts'
import { useTask, useTaskAction, type TaskAction } from '../task-context.tsx'
import type { KeepDraft, SentAnswer } from './answer-drafts.ts'

export interface AnswerSender extends TaskAction {
  request(answer: string): ApiRequest
  /** What a command has answered that was sent instead of an answer; null: none was. */
  command: CommandResult | null
  /** `typed`: what stands in the form; null: it is busy already. */
  send(answer: string, typed: string): Promise<ApiAnswer<InputResult> | null>
}

export function useAnswerSender(request_id: string, keep: KeepDraft): AnswerSender {
  const { task } = useTask()
  const action = useTaskAction()
  const [command, show] = useState<CommandResult | null>(null)
  const request = (input: string) => post(taskPath(task.id, 'input'), { input, request_id })
  return {
    ...action,
    request,
    command,
    async send(answer, typed) {
      if (action.busy) return null
      show(null)
      const sent: SentAnswer = { answer, typed, state: 'under_way' }
      keep({ request_id, sent })
      const told = await action.run(request(answer))
      const asked = told?.ok === true ? told.value.command : undefined
      show(asked ?? null)
      // It was no answer: what it was asked for is still open.
      const isTaken = told?.ok === true && asked === undefined
      const isUnknown = told !== null && isOutcomeUnknown(told)
      keep({
        request_id,
        sent: isTaken ? { ...sent, state: 'taken' } : isUnknown ? { ...sent, state: 'unknown' } : null,
      })
      return told
    },
  }
}
