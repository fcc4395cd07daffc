/**
 * A test runner for Stryker that loads code and suites once per process and then only switches mutants: a run of vitest for
 * each takes seconds, this takes milliseconds. Mutants of module level would need a fresh process; they are not tried.
 */
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { determineHitLimitReached, toMutantRunResult } from '@stryker-mutator/api/test-runner'
import { load, runTest } from './suites.mjs'

const SLOWEST = 20
const LIMIT_MS = 3_000

function runnerOf(options, namespace) {
  const stryker = (globalThis[namespace] ??= {})
  let tests = []
  /** By id: how long it takes and how many mutants it has killed. */
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
        known.set(test.id, { ms, kills: 0 })
        results.push(resultOf(test, error, ms))
      }
      return { status: 'complete', tests: results, mutantCoverage: stryker.mutantCoverage }
    },
    async mutantRun({ activeMutant, testFilter, hitLimit }) {
      const wanted = testFilter === undefined ? null : new Set(testFilter)
      const chosen = tests.filter(({ id }) => wanted?.has(id) ?? true)
      Object.assign(stryker, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
      const results = []
      for (const test of byPromise(chosen, known)) {
        const before = known.get(test.id) ?? { ms: 0, kills: 0 }
        const { error, ms } = await run(test, Math.max(LIMIT_MS, before.ms * SLOWEST))
        results.push(resultOf(test, error, ms))
        known.set(test.id, { ms: error === null ? ms : before.ms, kills: before.kills + Number(error !== null) })
        if (error === null) continue
        await expectCalm(test)
        break
      }
      stryker.activeMutant = undefined
      const late = determineHitLimitReached(stryker.hitCount, hitLimit)
      return toMutantRunResult(late ?? { status: 'complete', tests: results })
    },
  }
}
runnerOf.inject = ['options', 'globalNamespace']

/** First what is quick and has killed before. */
const byPromise = (tests, known) => {
  const weight = ({ id }) => (known.get(id)?.ms ?? 1) / (1 + (known.get(id)?.kills ?? 0))
  return tests.toSorted((a, b) => weight(a) - weight(b))
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
