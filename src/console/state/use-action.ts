/**
 * One thing a person does: sends a request, is busy meanwhile, shows the refusal. Every POST has an idempotency key of its own; when no
 * answer came, the same request again goes out under the same key, so that it is done once.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../api/client.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Problem } from '../api/wire.ts'
import { useClient } from './session.tsx'

export interface Action {
  busy: boolean
  problem: Problem | null
  /** null: it is busy already. */
  run<T>(request: ApiRequest): Promise<Answer<T> | null>
  /** Forgets the refusal. */
  clear(): void
}

export function useAction(): Action {
  const client = useClient()
  const [state, set] = useState<{ busy: boolean; problem: Problem | null }>({ busy: false, problem: null })
  const running = useRef(false)
  const unanswered = useRef<{ request: string; key: string } | null>(null)
  const mounted = useMounted()
  return {
    ...state,
    clear: () => set({ busy: running.current, problem: null }),
    async run<T>(request: ApiRequest) {
      if (running.current) return null
      running.current = true
      set({ busy: true, problem: null })
      const text = JSON.stringify([request.method, request.path, request.json])
      const key = unanswered.current?.request === text ? unanswered.current.key : crypto.randomUUID()
      const keyed = request.method === 'POST' ? withKey(request, key) : request
      const answer = await client.send<T>(keyed)
      unanswered.current = isUnanswered(answer) ? { request: text, key } : null
      running.current = false
      if (mounted.current) set({ busy: false, problem: answer.ok ? null : answer.problem })
      return answer
    },
  }
}

const withKey = (request: ApiRequest, key: string): ApiRequest => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': key },
})

/** Whether it is unknown what became of it: no answer, one of something in between, or one that is still being made. */
const isUnanswered = (answer: Answer<unknown>) =>
  !answer.ok &&
  (answer.problem.code === 'unreachable' ||
    answer.problem.code === 'unreadable' ||
    answer.problem.code === 'request_in_progress')

function useMounted(): { current: boolean } {
  const mounted = useRef(true)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return mounted
}
