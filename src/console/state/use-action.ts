/**
 * One action of a person: it sends a request, is busy meanwhile, and shows a refusal. Every POST and PATCH has an idempotency key. When
 * no answer came, the same request goes out again under the same key, from any view, so that the service does it once.
 */
import { useRef, useState } from 'preact/hooks'
import { isOutcomeUnknown, type ApiAnswer } from '../api/client.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Problem } from '../api/wire.ts'
import { idempotencyKeys } from './drafts.ts'
import { useClient } from './session.tsx'
import { useMounted } from './use-mounted.ts'

export interface Action {
  busy: boolean
  problem: Problem | null
  /** Whether an earlier request had done it and its answer was lost. The service then did nothing more. */
  replayed: boolean
  /** Returns null if the action is busy already. */
  run<T>(request: ApiRequest): Promise<ApiAnswer<T> | null>
  /** Forgets the outcome. */
  clear(): void
}
type ActionState = Pick<Action, 'busy' | 'problem' | 'replayed'>
const IDLE: ActionState = { busy: false, problem: null, replayed: false }

export function useAction(): Action {
  const client = useClient()
  const [state, set] = useState(IDLE)
  const running = useRef(false)
  const mounted = useMounted()
  return {
    ...state,
    clear: () => set({ ...IDLE, busy: running.current }),
    async run<T>(request: ApiRequest) {
      if (running.current) return null
      running.current = true
      set({ ...IDLE, busy: true })
      const text = JSON.stringify([request.method, request.path, request.json])
      const key = idempotencyKeys.keyOf(request.path, text)
      const keyed = KEYED_METHODS.has(request.method) ? withKey(request, key) : request
      const answer = await client.send<T>(keyed)
      idempotencyKeys.settle(request.path, text, !isOutcomeUnknown(answer))
      running.current = false
      if (mounted.current) set(stateAfter(answer))
      return answer
    },
  }
}

/** A second POST or PATCH could do more than the first one. */
const KEYED_METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH'])

const stateAfter = (answer: ApiAnswer<unknown>): ActionState =>
  answer.ok
    ? { ...IDLE, replayed: answer.headers.get('idempotency-replayed') === 'true' }
    : { ...IDLE, problem: answer.problem }

const withKey = (request: ApiRequest, key: string): ApiRequest => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': key },
})
