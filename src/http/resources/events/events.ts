/** The events of a task: in pages, or live as Server-Sent Events, as progress lines or over a WebSocket. */
import * as z from 'zod'
import type { TaskView } from '../../../core/terms/view.ts'
import type { FollowUpdate, Following } from '../../../shell/follow.ts'
import { answerReply, endpoint, refusalReply, replyTo, type Call, type Ports, type Reply } from '../../endpoint.ts'
import { answerInForms, emptyAnswer, HISTORY_ROUTE, TASK_PROBLEMS } from '../../route-builders.ts'
import { linkToken, SeqQuery } from '../../shapes/fields.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'
import { HEARTBEAT_MS, logStreamError, sseFrames, streamOf, streamResponse, textFrames } from './stream.ts'
import { upgradeToSocket } from './watch-socket.ts'

const PAGE_DEFAULT = 20

const EventsQuery = SeqQuery.extend({
  limit: z.int().min(1).max(100).optional().describe('entries of a page (20); as text, lines come live without it'),
  token: linkToken,
})

const EVENTS_ROUTE = {
  ...HISTORY_ROUTE,
  path: '/tasks/{id}/events',
  summary: 'What happened, and what happens',
  description:
    'The events of the task in order, `seq` dense from 1. The `journal_seq` of a payload is the row that caused it. As JSON it is a ' +
    'page. `Accept: text/event-stream` goes on as the task does: `id` is the seq, `event` the type, `data` the whole event; it begins ' +
    'after `Last-Event-ID` or `after`, has a comment every 15 s, has `event: thought_delta` without an id while a model speaks (its next words, ' +
    'which are not stored: `journal_seq`, `phase`, `from` as the number of characters before, `text`), and closes after `event: end` when the task has ended: close an EventSource ' +
    'then, or it comes again. Without that event it was interrupted: come again with the last id. `Accept: text/plain` without `limit` gives the progress lines as they ' +
    'happen. A WebSocket on this path gets the same events, one text message each, and is closed with 1000 after the last one; with ' +
    '1013 when more than 1 MiB was sent since it last said anything. A task has at most 200 watchers.',
  linked: 'events',
  query: EventsQuery,
  headers: ['Last-Event-ID'],
  success: answerInForms('One page of events, or the stream of them', 'EventPage', 'text/event-stream'),
  also: [emptyAnswer(101, 'The WebSocket is open')],
  problems: [...TASK_PROBLEMS, 'too_many_watchers'],
} as const
type EventsCall = Call<typeof EVENTS_ROUTE>

export const EVENT_ROUTES = {
  /** A caller who names a `limit` wants a page. Otherwise text, like an event stream, lasts as long as the task. */
  listEvents: endpoint(EVENTS_ROUTE, async (ports, call) => {
    const { request, query, form } = call
    if (wantsSocket(request)) return socketReply(ports, call)
    if (form === 'text/event-stream') return liveReply(ports, call, form)
    if (form === 'text/plain' && query.limit === undefined) return liveReply(ports, call, form)
    return pageReply(ports, call)
  }),
}

/**
 * A malformed handshake is answered as if it had not asked for a socket (RFC 9110, 7.8). The runtime would refuse it without a problem
 * document.
 */
function wantsSocket({ method, headers }: Request): boolean {
  const key = headers.get('sec-websocket-key') ?? ''
  const version = headers.get('sec-websocket-version')
  const asks = method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'
  return asks && version === '13' && /^[A-Za-z0-9+/]{22}==$/.test(key)
}

async function pageReply({ service }: Ports, { caller, params, query }: EventsCall): Promise<Reply> {
  const { after, limit = PAGE_DEFAULT } = query
  return replyTo(await service.listEvents(caller, params.id, { limit, after }), (page) =>
    answerReply(page, async () => (await import('../../text/plain.ts')).eventsText(page)),
  )
}

async function liveReply(ports: Ports, call: EventsCall, form: 'text/event-stream' | 'text/plain'): Promise<Reply> {
  const { service, sleep } = ports
  const { caller, params, request } = call
  const readTask = () => service.getTask(caller, params.id)
  // An event stream does not show the task, and a HEAD request only asks whether there is one.
  const task = form === 'text/plain' || request.method === 'HEAD' ? await readTask() : null
  if (task?.ok === false) return refusalReply(task.refusal)
  if (request.method === 'HEAD') return streamReply(form, null)
  const following = await follow(ports, call)
  if (!following.ok) return refusalReply(following.refusal)
  const { sights: updates, stop } = following.value
  const currentTask = async (): Promise<TaskView | null> => {
    const current = await readTask()
    return current.ok ? current.value.task : null
  }
  const frames = task === null ? sseFrames(updates) : textFrames(updates, task.value.task, currentTask)
  return streamReply(form, streamOf({ frames, stop, sleep, onError: logStreamError }))
}

async function socketReply(ports: Ports, call: EventsCall): Promise<Reply> {
  return replyTo(await follow(ports, call), (following) => ({
    kind: 'document',
    response: upgradeToSocket(following, startOf(call), logStreamError),
  }))
}

async function follow({ service, sleep, now }: Ports, call: EventsCall): Promise<HttpResult<Following>> {
  const beat = () => sleep(HEARTBEAT_MS)
  const followed = await service.followEvents(call.caller, call.params.id, { after: startOf(call), beat })
  if (!followed.ok) return followed
  return { ok: true, value: { ...followed.value, sights: whileAdmitted(followed.value.sights, call, now) } }
}

/** Ends the updates of a key that was revoked, as if they were interrupted: who comes again is refused. There is an update in every heartbeat. */
async function* whileAdmitted(
  updates: AsyncIterable<FollowUpdate>,
  { isStillAdmitted }: Pick<EventsCall, 'isStillAdmitted'>,
  now: () => number,
): AsyncGenerator<FollowUpdate, void> {
  let looked = now()
  for await (const update of updates) {
    if (now() - looked >= HEARTBEAT_MS) {
      looked = now()
      if (!(await isStillAdmitted())) return
    }
    yield update
  }
}

/** The last event that the reader has seen. A numeric header wins over the query. */
function startOf({ request, query }: EventsCall): number {
  const last = request.headers.get('last-event-id') ?? ''
  return /^\d{1,15}$/.test(last) ? Number(last) : query.after
}

const streamReply = (form: string, body: ReadableStream<Uint8Array> | null): Reply => ({
  kind: 'document',
  response: streamResponse(form, body),
})
