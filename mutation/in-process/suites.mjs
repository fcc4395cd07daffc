/** Loads the suites once, and runs some of their tests again and again in the same process. */
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hook } from './hooks.mjs'

const { setTimeout, clearTimeout } = globalThis
/** A promise that never settles fails its test. */
const TEST_MS = 20_000

let shim = null

/** All tests of the files but those whose name begins with one of `skipped`. */
export async function load({ suites, excluded, skipped }) {
  hook()
  shim = await import('./vitest.mjs')
  for (const file of globSync(suites, { exclude: excluded }).toSorted()) {
    await shim.collect(file, () => import(pathToFileURL(resolve(file)).href))
  }
  const tests = shim.tests.filter(({ name }) => !skipped.some((start) => name.startsWith(start)))
  const ids = new Set(tests.map(({ id }) => id))
  if (ids.size !== tests.length) throw new Error('two tests have one name')
  if (ids.size === 0) throw new Error('there is no test')
  return tests
}

/** Null, or why it failed. */
export async function runTest(test, limit_ms = TEST_MS) {
  Object.assign(shim.running, { id: test.id, snapshots: 0 })
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limit_ms, new Error('it never settles'))
  })
  try {
    return (await Promise.race([play(test), late])) ?? null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    clearTimeout(timer)
  }
}

async function play({ body, before, after }) {
  try {
    for (const prepare of before) await prepare()
    await body()
  } finally {
    for (const tidy of after) await tidy()
  }
}
