/**
 * A test runner for Stryker that loads code and suites once per process and then only switches mutants: a run of vitest for
 * each takes seconds, this takes milliseconds. Mutants of module level would need a fresh process; they are not tried.
 */
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { determineHitLimitReached, toMutantRunResult } from '@stryker-mutator/api/test-runner'
import { load, runTest } from './suites.mjs'

const SLOWEST = 20
const LIMIT_MS = 3_000

function runnerOf(options) {
  const stryker = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {})
  let tests = []
  /** By test: how long it takes, and how many mutants of each file it has killed. */
  const known = new Map()

  async function run(test, limit_ms) {
    stryker.currentTestId = test.id
    const begun = performance.now()
    const error = await runTest(test, limit_ms)
    stryker.currentTestId = undefined
    return { error, ms: performance.now() - begun }
  }

  /** What a mutant broke for those after it must not count as their death: Stryker then begins a new process and tries again. */
  async function expectCalm(test) {
    stryker.activeMutant = undefined
    const { error } = await run(test)
    if (error !== null) throw new Error(`${test.id} fails without a mutant: ${error.message}`)
  }

  return {
    capabilities: () => ({ reloadEnvironment: false }),
    async init() {
      tests = await load(options.inProcess)
    },
    async dryRun() {
      const results = []
      for (const test of tests) {
        const { error, ms } = await run(test)
        known.set(test.id, { ms, kills: new Map() })
        results.push(resultOf(test, error, ms))
      }
      return { status: 'complete', tests: results, mutantCoverage: stryker.mutantCoverage }
    },
    async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName: file }) {
      const wanted = testFilter === undefined ? null : new Set(testFilter)
      const chosen = tests.filter(({ id }) => wanted?.has(id) ?? true)
      Object.assign(stryker, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
      const results = []
      for (const test of byPromise(chosen, known, file)) {
        const { ms: usual, kills } = known.get(test.id) ?? { ms: 0, kills: new Map() }
        const { error, ms } = await run(test, Math.max(LIMIT_MS, usual * SLOWEST))
        results.push(resultOf(test, error, ms))
        known.set(test.id, { ms: error === null ? ms : usual, kills })
        if (error === null) continue
        kills.set(file, (kills.get(file) ?? 0) + 1)
        await expectCalm(test)
        break
      }
      stryker.activeMutant = undefined
      const late = determineHitLimitReached(stryker.hitCount, hitLimit)
      return toMutantRunResult(late ?? { status: 'complete', tests: results })
    },
  }
}
runnerOf.inject = ['options']

/** First what is quick and has killed mutants of this file before. */
const byPromise = (tests, known, file) => {
  const weight = ({ id }) => (known.get(id)?.ms ?? 1) / (1 + 10 * (known.get(id)?.kills.get(file) ?? 0))
  const weights = new Map(tests.map((test) => [test, weight(test)]))
  return tests.toSorted((a, b) => weights.get(a) - weights.get(b))
}

const resultOf = ({ id, file }, error, ms) => ({
  id,
  name: id,
  fileName: file,
  timeSpentMs: ms,
  ...(error === null ? { status: 0 } : { status: 1, failureMessage: error.message }),
})

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', runnerOf)]
export const strykerValidationSchema = { properties: { inProcess: { type: 'object' } } }
