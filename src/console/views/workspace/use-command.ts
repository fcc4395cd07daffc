/** Commands of the desk: those that only read are asked again after a change; those that change are done once, and their refusals kept to be shown. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/request.ts'
import type { CommandResult, Locale, Problem } from '../../api/wire.ts'
import { usePreferences } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useRequest } from '../../state/use-resource.ts'

/** The answer is worded in the reader's language, whatever that of the line. */
const commandRequest = (command: string, locale: Locale): ApiRequest => ({
  method: 'POST',
  path: '/commands',
  json: { command },
  headers: { 'accept-language': locale },
})

export function useCommandRequest(): (line: string) => ApiRequest {
  const { locale } = usePreferences()
  return (line) => commandRequest(line, locale)
}

/** What else is done in the workspace, by tasks too, is seen after so long. */
const LOOK_MS = 15_000

interface CommandReading {
  /** Of this very line; null before its first answer. */
  result: CommandResult | null
  problem: Problem | null
  busy: boolean
  again(): void
}

/**
 * `line` null: nothing can be asked. `version`: counts the changes after which it is asked again. `isStill`: it is not asked by itself, as
 * what is being entered stands in what has been read.
 */
export function useCommandReading(line: string | null, version: number, isStill = false): CommandReading {
  const { locale } = usePreferences()
  const request = line === null ? null : { ...commandRequest(line, locale), isReadOnly: true }
  const { value, problem, loading, refresh } = useRequest<CommandResult>(request, isStill ? null : LOOK_MS)
  const seen = useRef(version)
  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    refresh()
  }, [version, refresh])
  return { result: value, problem, busy: loading, again: refresh }
}

export interface CommandAction {
  busy: boolean
  problem: Problem | null
  /** The answer that was no success (`ok: false`); nothing was changed then. */
  refusal: CommandResult | null
  /** The answer of a success; null: it is busy, or was refused. */
  run(line: string): Promise<CommandResult | null>
  clear(): void
}

export function useCommandAction(): CommandAction {
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
