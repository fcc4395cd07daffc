/** Every goal of the table, driven from its plan to its summary with the real slash commands. */
import { describe, expect, it } from 'vitest'
import { NOW, localeOf, play, realTools } from './offline-driver.ts'
import { GOALS } from './offline-goals.ts'

const cases = GOALS.map(
  (goal) => [`${goal.goal}${goal.answers.map((answer) => ` / ${answer}`).join('')}`, goal] as const,
)

describe('the table of goals', () => {
  it('has at least 130 goals, about half of them in each language', () => {
    const chinese = GOALS.filter(({ goal }) => localeOf(goal) === 'zh').length
    expect(GOALS.length).toBeGreaterThanOrEqual(130)
    expect(chinese / GOALS.length).toBeGreaterThan(0.4)
    expect(chinese / GOALS.length).toBeLessThan(0.6)
  })

  it.each(cases)('%s', async (_, { goal, at, before, answers, commands, questions, says }) => {
    const tool = realTools(at ?? NOW, localeOf(goal))
    for (const command of before) expect(tool('todo', command)).toMatchObject({ ok: true })
    const played = await play({ goal, answers, tool, ...(at === null ? {} : { at }) })
    expect(played.commands).toEqual(commands)
    expect(played.questions).toEqual(questions.map((words) => expect.stringContaining(words)))
    for (const words of says) expect(played.result).toContain(words)
    expect(played.broken).toEqual([])
    expect(played.result).toEqual(expect.stringMatching(/\S/u))
    expect(played.calls).toBeLessThanOrEqual(40)
  })
})
