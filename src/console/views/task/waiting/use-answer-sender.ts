/** Sends the answer to a request, and stores its outcome with the draft. */
import { useState } from 'preact/hooks'
import { isOutcomeUnknown, type ApiAnswer } from '../../../api/client.ts'
import { taskPath, post, type ApiRequest } from '../../../api/request.ts'
import type { CommandResult, InputResult } from '../../../api/wire.ts'
import { useTask, useTaskAction, type TaskAction } from '../task-context.tsx'
import type { KeepDraft, SentAnswer } from './answer-drafts.ts'

export interface AnswerSender extends TaskAction {
  request(answer: string): ApiRequest
  /** The result of a command that was sent in place of an answer; null if there was none. */
  command: CommandResult | null
  /** `typed` is the text of the form. Returns null if the action is busy already. */
  send(answer: string, typed: string): Promise<ApiAnswer<InputResult> | null>
}

export function useAnswerSender(request_id: string, keep: KeepDraft): AnswerSender {
  const { task } = useTask()
  const action = useTaskAction()
  const [command, setCommand] = useState<CommandResult | null>(null)
  const request = (input: string) => post(taskPath(task.id, 'input'), { input, request_id })
  return {
    ...action,
    request,
    command,
    async send(answer, typed) {
      if (action.busy) return null
      setCommand(null)
      const sent: SentAnswer = { answer, typed, state: 'under_way' }
      keep({ request_id, sent })
      const result = await action.run(request(answer))
      const commandResult = result?.ok === true ? result.value.command : undefined
      setCommand(commandResult ?? null)
      // The text was a command, so the request is still open.
      const isTaken = result?.ok === true && commandResult === undefined
      const isUnknown = result !== null && isOutcomeUnknown(result)
      keep({
        request_id,
        sent: isTaken ? { ...sent, state: 'taken' } : isUnknown ? { ...sent, state: 'unknown' } : null,
      })
      return result
    },
  }
}
