/** Goals that are hard to read, through plan_execute and dynamic: nothing without a name and nothing of an unlikely length is stored (U63). */
import { describe, expect, it } from 'vitest'
import { isLikelyMinutes } from '../../../src/models/offline/manners/unlikely.ts'
import { isLeftOver } from '../../../src/models/offline/manners/left-over.ts'
import { startTalk } from './service.ts'
import { play } from '../offline-driver.ts'
import { CORRECTED, LIKELY, NAMELESS, UNLIKELY } from './awkward-goals.ts'

const GOALS = [...NAMELESS, ...CORRECTED, ...UNLIKELY.map(([goal]) => goal)]

/** The title and the length of the entry that a command adds; null: it adds none. */
function entryIn(command: string): { title: string; minutes: number } | null {
  const [, added = ''] = /\/(?:todo add|schedule add \S+ \S+)(?: (.*))?$/u.exec(command) ?? []
  if (!/\/(?:todo|schedule) add/u.test(command)) return null
  const minutes = Number(/--duration (\d+)/u.exec(added)?.[1] ?? 60)
  return { title: added.replace(/ ?--[a-z-]+ .*$/u, ''), minutes }
}

function expectSound(commands: readonly string[]): void {
  for (const entry of commands.map(entryIn)) {
    if (entry === null) continue
    expect(isLeftOver(entry.title), entry.title).toBe(false)
    expect(entry.title).toMatch(/[\p{L}\p{N}]/u)
    expect(isLikelyMinutes(entry.minutes), `${entry.title}: ${entry.minutes}`).toBe(true)
  }
}

describe('goals that are hard to read', () => {
  it('U63 are at least forty, in both languages', () => {
    expect(GOALS.length).toBeGreaterThanOrEqual(40)
    expect(GOALS.filter((goal) => /\p{Script=Han}/u.test(goal)).length).toBeGreaterThanOrEqual(15)
  })

  it.each(GOALS)('U63 %j is asked about, and nothing is stored without an answer', async (goal) => {
    const played = await play({ goal, unanswered: 'hm' })
    expect(played.commands.filter((command) => entryIn(command) !== null)).toEqual([])
    expect(played.questions.length).toBeGreaterThan(0)
    expect(played.broken).toEqual([])
    expect(played.result).toMatch(/not done|未完成/iu)
  })

  it.each(GOALS)('U63 %j stores nothing unlikely, whatever is answered', async (goal) => {
    for (const unanswered of ['of', ', no,', 'todo', 'yes', '90 hours', '25:00', '的', '默认'])
      expectSound((await play({ goal, unanswered })).commands)
  })

  it.each(NAMELESS.filter((goal) => !/[?]/u.test(goal)))(
    'U63 %j is in no way an entry in mode dynamic',
    async (goal) => {
      const { commands, task } = await startTalk({ goal, mode: 'dynamic' })
      expect(commands.filter((command) => entryIn(command) !== null)).toEqual([])
      expect(task.status).toBe('completed')
      expect(task.result).toMatchObject({ outcome: expect.stringMatching(/^(?:not_done|partial)$/u) })
    },
  )

  it.each(['at 3pm of', 'remind me of the', 'buy the', '去买'])(
    'U63 the question quotes the sentence %j',
    async (goal) => {
      const { questions } = await play({ goal, unanswered: 'skip' })
      expect(questions[0]).toContain(goal)
    },
  )

  it('U63 an answer names the entry, and the time of the sentence stays', async () => {
    const played = await play({ goal: 'tomorrow at 3pm of', answers: ['the dentist'] })
    expect(played.commands).toEqual(['schedule: /schedule add 2026-11-25 15:00 dentist'])
  })

  it('U63 the time before a correction does not stay', async () => {
    const goal = 'Book the dentist tomorrow at 3pm, no, at 4pm'
    const played = await play({ goal, answers: ['dentist tomorrow at 4pm', '30 minutes'] })
    expect(played.questions[0]).toContain(goal)
    expect(played.commands).toEqual(['schedule: /schedule add 2026-11-25 16:00 dentist --duration 30'])
  })

  it('U63 a title of small words that a person wrote is asked about, too', async () => {
    const played = await play({ goal: 'Todo: of', unanswered: 'skip' })
    expect(played.commands).toEqual([])
  })
})

describe('lengths and times that no event has', () => {
  it.each(UNLIKELY)('U63 %j is asked about as "%s"', async (goal, words) => {
    const { questions } = await play({ goal, unanswered: 'skip' })
    expect(questions[0]).toMatch(/^I read the (?:length|time) |我读到的是/u)
    expect(questions[0]).toContain(words)
  })

  it.each(UNLIKELY)('U63 %j is not written in mode dynamic, and the result says why', async (goal, words) => {
    const { commands, task } = await startTalk({ goal, mode: 'dynamic' })
    expect(commands).toEqual([])
    expect(task.result?.text).toContain(words)
    expect(task.result).toMatchObject({ outcome: 'not_done' })
  })

  it.each([
    ['a 90 hour meeting tomorrow at 3pm', '90 minutes', '2026-11-25 15:00 meeting --duration 90'],
    ['a 90 hour meeting tomorrow at 3pm', '2 days', '2026-11-25 15:00 meeting --duration 2880'],
    ['schedule lunch at 25:00 tomorrow', 'at noon', '2026-11-25 12:00 lunch'],
    ['明天下午三点开90小时的会', '90分钟', '2026-11-25 15:00 开会 --duration 90'],
  ])('U63 %j is written with the answer %j', async (goal, answer, written) => {
    const played = await play({ goal, answers: [answer] })
    expect(played.commands).toEqual([`schedule: /schedule add ${written}`])
  })

  it('U63 an answer that is unlikely itself is asked about', async () => {
    const played = await play({ goal: 'book the dentist tomorrow at 3pm', answers: ['90 hours', '45 minutes'] })
    expect(played.questions[1]).toContain('"90 hours"')
    expect(played.commands).toEqual(['schedule: /schedule add 2026-11-25 15:00 dentist --duration 45'])
  })

  it('U63 an event keeps its length until a likely one is said', async () => {
    const goal = 'schedule lunch tomorrow at noon; change the duration of the lunch to 90 hours'
    const played = await play({ goal, unanswered: 'skip' })
    expect(played.commands.filter((command) => command.includes('update'))).toEqual([])
    expect(played.questions).toEqual([expect.stringContaining('5400 min')])
  })

  it.each(LIKELY)('U63 %j is written as it is', async (goal, command) => {
    expect((await play({ goal, unanswered: 'default' })).commands).toEqual([expect.stringContaining(command)])
  })
})
