/**
 * A stored row has the fingerprint of its request and the version of its prompt. Replay compares fingerprints only of equal versions.
 * So whoever changes what models are told of a tool raises VERSION in each mode that offers it, or replay reports that old tasks differ.
 */
import { expect, it } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { fingerprint } from '../../src/core/terms/values/hash.ts'
import { benchOf, createTask, journalOf, ONE } from '../support/scripted.ts'
import { cardsOf } from '../support/tool-texts.ts'

/** VERSION of the prompts of each mode, and the fingerprint of what its model is told of its tools. */
const TOLD: Record<string, { version: number; tools: string }> = {
  plan_execute: { version: 9, tools: '769bb3aba5ecb777' },
  dynamic: { version: 9, tools: '769bb3aba5ecb777' },
  session: { version: 8, tools: '769bb3aba5ecb777' },
  autonomous: { version: 8, tools: 'd9b107740ca3c69a' },
}

/** The version in the first prompt of a new task. All prompts of a mode have the same. */
async function versionOf(mode: string): Promise<number> {
  const bench = benchOf({})
  const { id } = await createTask(bench, {}, ONE, { mode })
  const [, version] = /"prompt":"[^"@]+@(\d+)"/.exec(JSON.stringify(await journalOf(bench, id))) ?? []
  return Number(version)
}

/** Of a card, what reaches the model in any language. */
const toldOf = (mode: string) =>
  cardsOf(mode).map((card) => [
    card.name,
    card.description,
    card.python,
    card.text,
    card.parameters,
    ...(card.signature === undefined ? [] : [card.signature]),
  ])

it.each(MODE_NAMES.filter((mode) => modeOf(mode).takes_tools))(
  'S3-17 when models are told something else of the tools of %s, the version of its prompts is raised',
  async (mode) => {
    const found = { version: await versionOf(mode), tools: fingerprint(JSON.stringify(toldOf(mode))) }
    const known = TOLD[mode]
    const isToRaise = found.tools !== known?.tools && found.version === known?.version
    const version = isToRaise ? found.version + 1 : found.version
    const raise = `raise VERSION in src/core/modes/${mode.replaceAll('_', '-')}/prompt.ts to ${version}, then `
    const write = `write ${mode}: { version: ${version}, tools: '${found.tools}' } in TOLD of this test`
    expect(found, `${isToRaise ? raise : ''}${write}`).toEqual(known)
  },
)
