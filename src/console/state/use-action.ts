/**
 * One thing a person does: sends a request, is busy meanwhile, shows the refusal. Every POST and PATCH has an idempotency
 * key of its own; when no answer came, the same request again goes out under the same key, so that it is done once – in another view too.
 */
import { useRef, useState } from 'preact/hooks'
import { isUnanswered, type Answer } from '../api/client.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Problem } from '../api/wire.ts'
import { keys } from './drafts.ts'
import { useClient } from './session.tsx'
import { useMounted } from './use-mounted.ts'

export interface Action {
  busy: boolean
  problem: Problem | null
  /** Whether it had been done before, by a request whose answer was lost: this press did nothing more. */
  replayed: boolean
  /** null: it is busy already. */
  run<T>(request: ApiRequest): Promise<Answer<T> | null>
  /** Forgets what became of it. */
  clear(): void
}
type State = Pick<Action, 'busy' | 'problem' | 'replayed'>
const STILL: State = { busy: false, problem: null, replayed: false }

export function useAction(): Action {
  const client = useClient()
  const [state, set] = useState(STILL)
  const running = useRef(false)
  const mounted = useMounted()
  return {
    ...state,
    clear: () => set({ ...STILL, busy: running.current }),
    async run<T>(request: ApiRequest) {
      if (running.current) return null
      running.current = true
      set({ ...STILL, busy: true })
      const text = JSON.stringify([request.method, request.path, request.json])
      const key = keys.keyOf(request.path, text)
      const keyed = KEYED.has(request.method) ? withKey(request, key) : request
      const answer = await client.send<T>(keyed)
      keys.cameBack(request.path, text, !isUnanswered(answer))
      running.current = false
      if (mounted.current) set(stateAfter(answer))
      return answer
    },
  }
}

/** Done twice these would not be what they are done once. */
const KEYED: ReadonlySet<string> = new Set(['POST', 'PATCH'])

const stateAfter = (answer: Answer<unknown>): State =>
  answer.ok
    ? { ...STILL, replayed: answer.headers.get('idempotency-replayed') === 'true' }
    : { ...STILL, problem: answer.problem }

const withKey = (request: ApiRequest, key: string): ApiRequest => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': key },
})
