/**
 * The tasks from which fixtures of stored state are made (D6). `npm run fixture -- completed` plays the task in the state `completed`, and
 * writes it to test/fixtures/journals as a fixture of the present version. The states are those of `FIXTURE_TASKS`.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatText } from '../../scripts/lib/format-text.mjs'
import { SCHEMA_VERSION } from '../../src/core/terms/head.ts'
import { replayRecords } from '../../src/store/task/journal-file.ts'
import { EQUAL } from '../support/forks.ts'
import { FIXTURE_TASKS, fixtureOf, JOURNALS } from '../support/journals.ts'

it.each([
  ['completed', 'completed'],
  ['waiting', 'input_required'],
  ['limit', 'paused'],
  ['in-flight', 'running'],
])('D6 a fixture of a task that is %s is replayed equal', async (state, status) => {
  const played = await FIXTURE_TASKS[state]?.()
  if (played === undefined) throw new Error(`no task of FIXTURE_TASKS is ${state}`)
  played.bench.spent()
  const fixture = await fixtureOf(played)
  expect(fixture.task.status).toBe(status)
  const rows = fixture.data.filter(({ head }) => head !== null).length
  expect(replayRecords(fixture.data)).toEqual({ ok: true, value: EQUAL(rows) })
  expect(fixture.data.length - rows).toBe(state === 'in-flight' ? 1 : 0)
  if (process.env['FIXTURES'] === 'write') await write(`v${SCHEMA_VERSION}-${state}.json`, fixture)
})

/** A fixture stays as the release of its version wrote it. */
async function write(name: string, content: object): Promise<void> {
  const path = join(JOURNALS, name)
  if (existsSync(path))
    throw new Error(`${path} exists. Delete it first, but only if no release has version ${SCHEMA_VERSION}`)
  writeFileSync(path, await formatText(path, JSON.stringify(content)))
  console.log(`wrote ${path}`)
}
