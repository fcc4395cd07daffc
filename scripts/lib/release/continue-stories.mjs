/** What a release does with stories that another one has made: it goes on with each of them, and says which it cannot read. */
import { client } from './stories.mjs'

/** Throws at the first task that does not become what it should. */
export async function continueStories(url, ids) {
  const ask = client(url)
  const step = (name, rounds = 40) => ask('POST', `/tasks/${ids[name]}/step`, { rounds })
  const tell = (name, input) => ask('POST', `/tasks/${ids[name]}/input`, { input, rounds: 40 })
  const wanted = [
    ['created', 'completed', () => step('created')],
    // Two sets want the same hour, so the second one is asked once more.
    ['asking', null, () => tell('asking', '45 minutes')],
    ['approving', 'completed', () => tell('approving', 'approve')],
    ['exhausted', null, () => tell('exhausted', 'continue')],
    ['stopped', 'completed', async () => (await ask('POST', `/tasks/${ids.stopped}/resume`), step('stopped'))],
    ['underway', null, () => step('underway')],
    ['session', null, () => tell('session', 'Note to buy tea')],
    ['half_analysis', 'completed', () => step('half_analysis')],
    ['fork', 'completed', () => step('fork')],
    ['led', null, () => step('led', 2)],
  ]
  for (const [name, status, act] of wanted) {
    const task = await act()
    if (status !== null && task.status !== status)
      throw new Error(`${name} is ${task.status} (${task.stop_reason}), not ${status}`)
    if (task.status === 'failed') throw new Error(`${name} failed: ${task.stop_reason}`)
  }
  await ask('POST', '/commands', { command: '/todo add "made while both ran"' })
  for (const path of [
    '/tasks?limit=100',
    '/delegations?limit=100',
    '/schedules',
    '/agents',
    '/secrets',
    '/webhooks/deliveries',
  ])
    await ask('GET', path)
  for (const [name, id] of Object.entries(ids))
    if (!(await ask('POST', `/tasks/${id}/replay`)).equal) throw new Error(`${name} does not replay`)
}

/** The names of the tasks that are refused as unreadable. Throws at any other refusal, and where a readable one does not replay. */
export async function unreadable(url, ids) {
  const ask = client(url)
  const found = []
  for (const [name, id] of Object.entries(ids)) {
    try {
      await ask('GET', `/tasks/${id}`)
      if (!(await ask('POST', `/tasks/${id}/replay`)).equal) throw new Error(`${name} does not replay`)
    } catch (error) {
      if (!/state_unreadable/.test(error.message)) throw error
      found.push(name)
    }
  }
  await ask('GET', '/tasks?limit=100')
  await ask('POST', '/commands', { command: '/todo list' })
  return found
}
