/** Runs commands. A command that reads runs again after each change. A command that changes runs once, and its refusal is shown. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/request.ts'
import type { CommandResult, Locale, Problem } from '../../api/wire.ts'
import { usePreferences } from '../../state/preferences.tsx'
import { useAction } from '../../state/use-action.ts'
import { useRequest, type Resource } from '../../state/use-resource.ts'

/** The service words the answer in the language of the reader, whatever the language of the line is. */
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

/** Tasks and other clients change the workspace too. This is how often the lists are read again. */
const READ_AGAIN_MS = 15_000

/**
 * `line` null: there is nothing to ask. `version` counts the changes after which the line is asked again. `isPaused`: the line is not
 * asked at intervals, because a form in the list is being filled.
 */
export function useCommandReading(line: string | null, version: number, isPaused = false): Resource<CommandResult> {
  const { locale } = usePreferences()
  const request = line === null ? null : { ...commandRequest(line, locale), isReadOnly: true }
  const reading = useRequest<CommandResult>(request, isPaused ? null : READ_AGAIN_MS)
  const { refresh } = reading
  const lastVersion = useRef(version)
  useEffect(() => {
    if (lastVersion.current === version) return
    lastVersion.current = version
    refresh()
  }, [version, refresh])
  return reading
}

export interface CommandAction {
  busy: boolean
  problem: Problem | null
  /** The result of a command that failed (`ok: false`). It changed nothing. */
  refusal: CommandResult | null
  /** Returns the result of a command that succeeded; null if the action is busy or the command failed. */
  run(line: string): Promise<CommandResult | null>
}

export function useCommandAction(): CommandAction {
  const action = useAction()
  const request = useCommandRequest()
  const [refusal, setRefusal] = useState<CommandResult | null>(null)
  return {
    busy: action.busy,
    problem: action.problem,
    refusal,
    async run(line) {
      const answer = await action.run<CommandResult>(request(line))
      if (answer === null) return null
      setRefusal(answer.ok && !answer.value.ok ? answer.value : null)
      return answer.ok && answer.value.ok ? answer.value : null
    },
  }
}
