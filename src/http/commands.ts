/** The route of slash commands. */
import { guessLocale } from '../core/terms/locale.ts'
import type { Routes } from './contract.ts'
import { askedLocale } from './language.ts'
import { commandText } from './plain.ts'
import { refused, REPLAYED, type Handler } from './route.ts'
import { isTaskId } from './schemas.ts'

export const runCommand: Handler<Routes['runCommand']> = async ({ service }, { caller, body, request }) => {
  const { command, task_id = null } = body
  if (task_id !== null && !isTaskId(task_id)) return refused({ code: 'task_not_found' })
  const locale = askedLocale(request) ?? guessLocale(command)
  const result = await service.runCommand(caller, command, task_id, locale)
  if (!result.ok) return refused(result.refusal)
  const { result: ran, replayed } = result.value
  const headers = replayed ? REPLAYED : {}
  return { kind: 'answer', status: 200, json: ran, lines: () => commandText(ran), headers }
}
