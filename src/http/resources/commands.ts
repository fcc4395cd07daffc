/** Slash commands without a model. */
import { guessLocale } from '../../core/terms/locale.ts'
import { answerReply, endpoint, refusalReply, replayHeaders, replyTo } from '../endpoint.ts'
import { preferredLocale } from '../gate/language.ts'
import { bodyOf, IDEMPOTENCY_PROBLEMS, jsonAnswer, TASK_PROBLEMS } from '../route-builders.ts'
import { isTaskId, NoParams, NoQuery } from '../shapes/fields.ts'
import { RunCommand } from '../shapes/requests.ts'

export const COMMAND_ROUTES = {
  runCommand: endpoint(
    {
      method: 'post',
      path: '/commands',
      tag: 'Commands',
      open: false,
      also: [],
      summary: 'Run a slash command',
      description:
        'Todos, schedule and views of the tenant, by fixed rules and without a model. A command that fails is 200 with ' +
        '`ok: false`. As a form the field is `command` (or `input`, `Body`, `text`); as plain text the whole body is the command.',
      params: NoParams,
      query: NoQuery,
      body: bodyOf(RunCommand, 'command', true),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('What the command answered', 'CommandResult'),
      problems: [...TASK_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, 'quota_exceeded'],
    },
    async ({ service }, { caller, body, request }) => {
      const { command, task_id = null } = body
      if (task_id !== null && !isTaskId(task_id)) return refusalReply({ code: 'task_not_found' })
      const locale = preferredLocale(request) ?? guessLocale(command)
      return replyTo(await service.runCommand(caller, command, task_id, locale), ({ result, replayed }) =>
        answerReply(
          result,
          async () => (await import('../text/plain.ts')).commandText(result),
          replayHeaders(replayed),
        ),
      )
    },
  ),
}
