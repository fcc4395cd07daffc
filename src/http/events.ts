/** The events of a task, in pages or as they happen: Server-Sent Events, progress lines, or a WebSocket. */
import { isLostObject } from '../shell/lost-object.ts'
import type { TaskView } from '../core/terms/view.ts'
import type { Routes } from './contract.ts'
import { eventsText } from './plain.ts'
import { textFrames } from './progress-text.ts'
import { refused, type Call, type Handler, type Ports, type Reply } from './route.ts'
import { sseFrames } from './sse.ts'
import { streamOf } from './stream.ts'
import { upgraded } from './watch-socket.ts'

/** Proxies and load balancers close what is silent for longer. */
const HEARTBEAT_MS = 15_000
const PAGE_DEFAULT = 20

type EventsCall = Call<Routes['listEvents']>

/** Whoever names a `limit` wants a page; otherwise text, like an event stream, goes on as long as the task does. */
export const listEvents: Handler<Routes['listEvents']> = async (ports, call) => {
  const { request, query, form } = call
  if (wantsSocket(request)) return socket(ports, call)
  if (form === 'text/event-stream') return live(ports, call, form)
  if (form === 'text/plain' && query.limit === undefined) return live(ports, call, form)
  return page(ports, call)
}

/** A handshake that is none is answered as if it had not asked (RFC 9110, 7.8): the runtime's own refusal would be no problem document. */
function wantsSocket({ method, headers }: Request): boolean {
  const key = headers.get('sec-websocket-key') ?? ''
  const version = headers.get('sec-websocket-version')
  const asks = method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'
  return asks && version === '13' && /^[A-Za-z0-9+/]{22}==$/.test(key)
}

async function page({ service }: Ports, { caller, params, query }: EventsCall): Promise<Reply> {
  const { after, limit = PAGE_DEFAULT } = query
  const found = await service.listEvents(caller, params.id, { limit, after })
  if (!found.ok) return refused(found.refusal)
  return { kind: 'answer', status: 200, json: found.value, lines: () => eventsText(found.value) }
}

async function live(ports: Ports, call: EventsCall, form: 'text/event-stream' | 'text/plain'): Promise<Reply> {
  const { service, sleep } = ports
  const { caller, params, request } = call
  const read = () => service.getTask(caller, params.id)
  // An event stream needs no view of the task, and its head nothing but that there is one.
  const seen = form === 'text/plain' || request.method === 'HEAD' ? await read() : null
  if (seen?.ok === false) return refused(seen.refusal)
  if (request.method === 'HEAD') return streaming(form, null)
  const followed = await follow(ports, call)
  if (!followed.ok) return refused(followed.refusal)
  const { sights, stop } = followed.value
  const current = async (): Promise<TaskView | null> => {
    const now = await read()
    return now.ok ? now.value.task : null
  }
  const frames = seen === null ? sseFrames(sights) : textFrames(sights, seen.value.task, current)
  return streaming(form, streamOf({ frames, stop, sleep, failed: logged }))
}

async function socket(ports: Ports, call: EventsCall): Promise<Reply> {
  const followed = await follow(ports, call)
  if (!followed.ok) return refused(followed.refusal)
  return { kind: 'document', response: upgraded(followed.value, startOf(call), logged) }
}

function follow({ service, sleep }: Ports, call: EventsCall) {
  const beat = () => sleep(HEARTBEAT_MS)
  return service.followEvents(call.caller, call.params.id, { after: startOf(call), beat })
}

/** Where a reader who comes again was; the header wins when it is a number. */
function startOf({ request, query }: EventsCall): number {
  const last = request.headers.get('last-event-id') ?? ''
  return /^\d{1,15}$/.test(last) ? Number(last) : query.after
}

function streaming(form: string, body: ReadableStream<Uint8Array> | null): Reply {
  // Some proxies collect what they pass on unless they are told not to.
  const type = form === 'text/plain' ? `${form}; charset=utf-8` : form
  const headers = { 'content-type': type, 'x-accel-buffering': 'no' }
  return { kind: 'document', response: new Response(body, { headers }) }
}

/** The answer is under way: what broke it can only be logged. That an object restarted is no fault. */
function logged(error: unknown): void {
  if (isLostObject(error)) return
  const reason = error instanceof Error ? error.name : 'error'
  console.error(JSON.stringify({ event: 'stream_failed', reason }))
}
