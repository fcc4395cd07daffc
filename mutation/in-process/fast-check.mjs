/** fast-check with the same few runs for every mutant, and without the search for the smallest failing one. */
import fc from 'fast-check'

const RUNS_MAX = 10

fc.configureGlobal({ seed: 1, endOnFailure: true })

export default {
  ...fc,
  assert: (property, parameters = {}) =>
    fc.assert(property, { ...parameters, numRuns: Math.min(RUNS_MAX, parameters.numRuns ?? RUNS_MAX) }),
}
