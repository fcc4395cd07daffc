/** What the doctor finds: each with what is so, and what to do about it. */

/** `state`: ok, warning, error, or skipped. `todo`: null where there is nothing to do. */
export const finding = (check, state, found, todo = null) => ({ check, state, found, todo })

const SIGNS = { ok: '✓', warning: '!', error: '✗', skipped: '–' }

export function linesOf(findings) {
  const lines = findings.flatMap(({ check, state, found, todo }) => [
    `${SIGNS[state]} ${check}: ${found}`,
    ...(todo === null ? [] : [`    → ${todo}`]),
  ])
  const count = (state) => findings.filter((one) => one.state === state).length
  return [
    ...lines,
    `${count('ok')} right, ${count('warning')} to look at, ${count('error')} wrong, ${count('skipped')} not looked at`,
  ]
}

export const isHealthy = (findings) => findings.every(({ state }) => state !== 'error')
