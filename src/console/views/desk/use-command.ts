/** Commands of the desk: those that only read are asked again after a change; those that change are done once, and their refusals kept to be shown. */
import { useEffect, useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/request.ts'
import type { CommandResult, Problem } from '../../api/wire.ts'
import { usePreferences, type Locale } from '../../state/preferences.tsx'
import { useClient } from '../../state/session.tsx'
import { useAction } from '../../state/use-action.ts'

/** The answer is worded in the reader's language, whatever that of the line. */
export const commandRequest = (command: string, locale: Locale): ApiRequest => ({
  method: 'POST',
  path: '/commands',
  json: { command },
  headers: { 'accept-language': locale },
})

export function useCommandRequest(): (line: string) => ApiRequest {
  const { locale } = usePreferences()
  return (line) => commandRequest(line, locale)
}

interface Reading {
  /** What it is an answer of; another line begins with nothing. */
  line: string | null
  result: CommandResult | null
  problem: Problem | null
}
const NOTHING: Reading = { line: null, result: null, problem: null }

/** `line` null: nothing can be asked. `version`: counts the changes after which it is asked again. */
export function useReading(line: string | null, version: number): Reading {
  const client = useClient()
  const { locale } = usePreferences()
  const [state, set] = useState<Reading>(NOTHING)
  useEffect(() => {
    if (line === null) return
    let overtaken = false
    void client.send<CommandResult>(commandRequest(line, locale)).then((answer) => {
      if (overtaken) return
      set((before) =>
        answer.ok
          ? { line, result: answer.value, problem: null }
          : { ...(before.line === line ? before : NOTHING), line, problem: answer.problem },
      )
    })
    return () => {
      overtaken = true
    }
  }, [client, line, locale, version])
  return state.line === line ? state : NOTHING
}

export interface Command {
  busy: boolean
  problem: Problem | null
  /** The answer that was no success (`ok: false`); nothing was changed then. */
  refusal: CommandResult | null
  /** The answer of a success; null: it is busy, or was refused. */
  run(line: string): Promise<CommandResult | null>
  clear(): void
}

export function useCommand(): Command {
  const action = useAction()
  const request = useCommandRequest()
  const [refusal, refuse] = useState<CommandResult | null>(null)
  return {
    busy: action.busy,
    problem: action.problem,
    refusal,
    clear: () => {
      action.clear()
      refuse(null)
    },
    async run(line) {
      const answer = await action.run<CommandResult>(request(line))
      if (answer === null) return null
      refuse(answer.ok && !answer.value.ok ? answer.value : null)
      return answer.ok && answer.value.ok ? answer.value : null
    },
  }
}
