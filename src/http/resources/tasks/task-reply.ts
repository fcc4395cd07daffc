/** The answer that shows a task, and the link by which its reader can follow it. */
import type { TaskAnswer, Caller } from '../../../shell/caller.ts'
import { answerReply, replayHeaders, replyTo, type Ports, type Reply } from '../../endpoint.ts'
import { etagOf } from '../../gate/etag.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'

export const taskReply = (result: HttpResult<TaskAnswer>): Promise<Reply> => replyTo(result, taskAnswer)

/** 201 with the path of the new task. */
export const createdReply = (ports: Ports, caller: Caller, result: HttpResult<TaskAnswer>): Promise<Reply> =>
  replyTo(result, async (answered) => {
    const reply = await monitoredAnswer(ports, caller, answered)
    return { ...reply, status: 201, headers: { ...reply.headers, location: `/tasks/${answered.task.id}` } }
  })

/** A browser can follow the `monitor` link without a key (U22). */
export async function monitoredAnswer({ config, links, now }: Ports, { tenant }: Caller, answered: TaskAnswer) {
  const { task, link_epoch } = answered
  const token = await links.events.sign({ tenant, task: task.id, link_epoch }, now())
  const link = `<${config.public_url ?? ''}/tasks/${task.id}/events?token=${token}>; rel="monitor"`
  const reply = taskAnswer(answered)
  return { ...reply, headers: { ...reply.headers, link } }
}

function taskAnswer({ task, command, replayed, link_epoch }: TaskAnswer) {
  const json = command === undefined ? task : { ...task, command }
  const headers = { etag: etagOf(task, link_epoch), ...replayHeaders(replayed) }
  return answerReply(json, async () => (await import('../../text/plain.ts')).taskText(task, command), headers)
}
