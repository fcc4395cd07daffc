/** The laws of agents: a version that was answered is there as it was put, and a task is what one such version says. */
import * as z from 'zod'
import { AgentView } from '../../../src/core/shown/agent-view.ts'
import { get, type Bench } from '../ask.ts'
import { PLANNED } from '../clients/clients.ts'
import type { PutAgent } from '../plans.ts'
import type { Story } from '../story.ts'

const VersionsPage = z.object({ data: z.array(AgentView), next_cursor: z.string().nullable() })
const Said = z.object({ goal: z.string(), instructions: z.string(), mode: z.string() })

export async function checkAgents(bench: Bench, stories: Map<string, Story>): Promise<void> {
  const { acks, tally } = bench
  for (const [name, versions] of acks.plans.agents) {
    const found = (await allVersions(bench, name)).toReversed()
    const kept = found.map(({ version, definition, latest }) => JSON.stringify([version, definition, latest]))
    const put = versions.map(({ view: { version, definition } }) =>
      JSON.stringify([version, definition, versions.length]),
    )
    const counted = versions.every(({ view: { version } }, index) => version === index + 1)
    tally.demand(counted, 'versions count up without gaps', () => `${name}: ${put.join()}`)
    tally.demand(kept.join() === put.join(), 'a version that was put is there', () => `${name}: ${kept.join()}`)
  }
  for (const story of stories.values()) checkMade(bench, story)
}

async function allVersions(bench: Bench, name: string): Promise<AgentView[]> {
  const found: AgentView[] = []
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${after}`
    const json = await get(bench, PLANNED, `/agents/${name}/versions?limit=20${cursor}`)
    const page: z.infer<typeof VersionsPage> = VersionsPage.parse(json)
    found.push(...page.data)
    after = page.next_cursor
  }
  return found
}

/** A task is prepared by the newest version, and stored some moments later. */
const PREPARED_WITHIN_MS = 5_000

function checkMade({ acks, tally }: Bench, { id, view }: Story): void {
  if (view.agent === null) return
  tally.seen('task of an agent')
  const { name, version } = view.agent
  const versions = acks.plans.agents.get(name) ?? []
  const put = versions[version - 1]
  const law = 'a task is what its agent said'
  const shown = () => `${name}@${version}: ${JSON.stringify({ view, put })}`
  tally.demand(put !== undefined, law, shown, id)
  if (put === undefined) return
  const { goal, instructions, mode } = Said.parse(put.view.definition)
  const filled = goal.replace('{{what}}', String(view.input?.['what']))
  tally.demand(view.goal === filled && view.instructions === instructions && view.mode === mode, law, shown, id)
  // A client may name an earlier version; a schedule has named none.
  const made = Date.parse(view.created_at)
  const later = (one: PutAgent) => one.view.version > version && one.from < made - PREPARED_WITHIN_MS
  const stale = view.metadata['schedule'] !== undefined && versions.some(later)
  tally.demand(!stale && put.sent <= made, 'a tick takes the newest version of its agent', shown, id)
}
