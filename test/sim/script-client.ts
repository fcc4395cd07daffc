/** What the clients of a script send: the first one in reaction to a task that stands still, the second one meanwhile. */
import type { RequestKey } from '../../src/core/protocol/advance.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Bounds } from '../../src/shell/caller.ts'
import {
  alarmRequest,
  cancelRequest,
  createRequest,
  deleteRequest,
  editRequest,
  inputRequest,
  putRequest,
  topUpRequest,
  type Request,
} from './requests.ts'
import { DATASET, type Script } from './script.ts'
import { workerNext } from './script-worker.ts'
import type { World } from './world.ts'
import { OUTPUT_SCHEMA } from './typed-results.ts'

/** `make` numbers the requests, and `serial` is the latest number. */
export interface Seat {
  script: Script
  world: World
  make(name: string): { name: string; id: string; key: RequestKey | null; bounds: Bounds }
  serial(): number
}

export const firstRequest = ({ settings, mode, fallbacks, typed }: Script): Request => {
  const key = { scope: 'POST /tasks', key: 'create', digest: 'body' }
  return createRequest(
    key,
    settings,
    { rounds: 0, max_ms: 25_000 },
    {
      mode,
      fallbacks: fallbacks.length === 0 ? {} : { default: fallbacks },
      shape: typed ? { output_schema: OUTPUT_SCHEMA } : {},
    },
  )
}

/** The next line of each kind. */
interface Lines {
  answer: string | undefined
  remedy: Script['remedies'][number] | undefined
  report: Script['reports'][number] | undefined
}

/** To a task that stands still; null: the script has nothing for it. */
export function reaction(seat: Seat, { status, pending }: TaskView, { answer, remedy, report }: Lines): Request | null {
  if (status === 'waiting_external') return report === undefined ? null : reportOn(seat, report)
  if (status === 'input_required' && pending?.kind === 'file') return put(seat, answer, pending.expires_at)
  if (status === 'input_required') return answer === undefined ? null : say(seat, answer, true)
  if (remedy === undefined) return null
  if (remedy === 'put') return putRequest(seat.make('put'), DATASET)
  return remedy === 'continue' ? say(seat, remedy, false) : topUpRequest(seat.make('budget'), { tokens: 7, ...remedy })
}

const reportOn = (seat: Seat, line: Script['reports'][number]): Request | null =>
  workerNext(seat.world, seat.make('report'), line, seat.serial())

/** Puts the file that a task waits for, says something in its place, or lets the wait expire. */
function put(seat: Seat, answer: string | undefined, expires_at: string | null): Request | null {
  const { world, make } = seat
  if (answer === undefined) return null
  if (answer.startsWith('say ')) return say(seat, answer, true)
  if (answer !== 'silence') return putRequest(make('put'), answer)
  world.clock.now = Math.max(world.clock.now, Date.parse(expires_at ?? ''))
  return alarmRequest(make('alarm'))
}

const say = ({ make }: Seat, text: string, answers: boolean): Request =>
  inputRequest(make('input'), text, null, answers && !text.startsWith('/') ? text : null)

export function secondRequests(seat: Seat, does: NonNullable<Script['meanwhile']>['does']): Request[] {
  const { make, script } = seat
  switch (does) {
    case 'cancel':
      return [cancelRequest(make('cancel'))]
    case 'delete':
      return [deleteRequest(make('delete'))]
    case 'delete and create':
      return [deleteRequest(make('delete')), firstRequest(script)]
    case 'remark':
      return [inputRequest(make('input'), 'by the way', null, 'by the way')]
    case 'edit':
      return [editRequest(make('plan'), ['A'], 'by hand')]
    case 'report': {
      const request = reportOn(seat, {})
      return request === null ? [] : [request]
    }
    case 'put':
      return [putRequest(make('put'), DATASET)]
    case 'top-up':
      return [topUpRequest(make('budget'), { steps: 1, tokens: 9 })]
  }
}
