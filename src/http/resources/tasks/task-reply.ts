/** The answer that shows a task, and the link by which its reader can follow it. */
import type { TaskAnswer, Caller } from '../../../shell/caller.ts'
import { answerReply, replayHeaders, replyTo, type Ports, type Reply } from '../../endpoint.ts'
import { etagOf } from '../../gate/etag.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'
import { shownTask, type Include } from '../../shapes/shown-task.ts'

/** Who asks for a task, and what the answer is to include. */
export interface TaskCall {
  caller: Caller
  query: Include
}

export const taskReply = (result: HttpResult<TaskAnswer>, { query }: Pick<TaskCall, 'query'>): Promise<Reply> =>
  replyTo(result, (answered) => taskAnswer(answered, query))

/** 201 with the path of the new task. */
export const createdReply = (ports: Ports, call: TaskCall, result: HttpResult<TaskAnswer>): Promise<Reply> =>
  replyTo(result, async (answered) => {
    const reply = await monitoredAnswer(ports, call, answered)
    return { ...reply, status: 201, headers: { ...reply.headers, location: `/tasks/${answered.task.id}` } }
  })

/** A browser can follow the `monitor` link without a key (U22). */
export async function monitoredAnswer(
  { config, links, now }: Ports,
  { caller, query }: TaskCall,
  answered: TaskAnswer,
) {
  const { task, link_epoch } = answered
  const token = await links.events.sign({ tenant: caller.tenant, task: task.id, link_epoch }, now())
  const link = `<${config.public_url ?? ''}/tasks/${task.id}/events?token=${token}>; rel="monitor"`
  const reply = taskAnswer(answered, query)
  return { ...reply, headers: { ...reply.headers, link } }
}

function taskAnswer({ task, command, replayed, link_epoch }: TaskAnswer, include: Include) {
  const shown = shownTask(task, include)
  const json = command === undefined ? shown : { ...shown, command }
  const headers = { etag: etagOf(task, link_epoch), ...replayHeaders(replayed) }
  return answerReply(json, async () => (await import('../../text/plain.ts')).taskText(task, command), headers)
}
