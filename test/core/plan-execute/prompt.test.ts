/** Prompts: one per phase and language, each kept as a snapshot (S0-34, S0-35, S0-39, O0-14, O0-17). */
import { describe, expect, it } from 'vitest'
import { act, ALL, ask, benchOf, closed, createTask, done, planned, replanned, say } from '../../support/scripted.ts'
import { cardsOf, withoutToolTexts } from '../../support/tool-texts.ts'

async function prompts(locale: 'en' | 'zh') {
  const bench = benchOf({
    plan: [planned('A', 'B')],
    thought: [act(), ask(), done('A is done'), done()],
    replan: [replanned('A', 'B'), replanned('B'), closed()],
    tools: [{ ok: true, text: 'added #1' }],
  })
  const task = await createTask(bench, {}, ALL, { locale, goal: locale === 'zh' ? '安排周五' : 'Plan my Friday' })
  await say(bench, task.id, 'tomorrow', ALL)
  return bench.requests
}
const shown = (content: string | undefined) => JSON.parse(content ?? '{}')

describe.each(['en', 'zh'] as const)('prompts in %s', (locale) => {
  it.each(['plan', 'thought', 'replan'])('the prompt of %s is in the language of the goal', async (phase) => {
    const request = (await prompts(locale)).filter((one) => one.metadata.phase === phase).at(-1)
    const [system, user] = request?.messages ?? []
    expect(request?.messages).toHaveLength(2)
    expect(withoutToolTexts(system?.content ?? '', 'plan_execute', locale)).toMatchSnapshot()
    expect(shown(user?.content)).toMatchSnapshot()
  })
})

describe('context', () => {
  it('S0-34 plan is given goal, time and tool contract; S0-35 thought item, observations, clarifications, statistics', async () => {
    const requests = await prompts('en')
    const [plan, thought] = [shown(requests[0]?.messages[1]?.content), shown(requests[1]?.messages[1]?.content)]
    expect(Object.keys(plan)).toEqual(expect.arrayContaining(['goal', 'local_time']))
    expect(requests[0]?.messages[0]?.content).toMatch(/# Tools\n[^]*- todo: [^]*duration and interval are minutes/)
    expect(Object.keys(thought)).toEqual(
      expect.arrayContaining([
        'current_item',
        'observations',
        'clarifications',
        'step_count',
        'max_steps',
        'plan',
        'cursor',
      ]),
    )
    expect(plan.local_time).toBe('Sat 2026-11-21 12:00')
  })

  it('S0-17 with few calls the functions alone say what a tool does, and one sentence says what a reply is', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    await createTask(bench, { calls: 'few' }, ALL)
    const system = bench.requests[0]?.messages[0]?.content ?? ''
    for (const { name, description } of cardsOf('plan_execute')) {
      expect(system).toContain(name)
      expect(system).not.toContain(description.en)
    }
    expect(system.match(/nothing else/g)).toHaveLength(1)
    expect(system).toContain('A reply is either one JSON object')
    expect(system).toContain('"ends_item":false')
    expect(system).not.toContain('"ends_item":true')
  })

  it.each(['en', 'zh'] as const)(
    'S0-35 every member of a user message in %s is named in the system text',
    async (locale) => {
      for (const request of await prompts(locale)) {
        const [system, user] = request.messages
        for (const member of Object.keys(shown(user?.content))) expect(system?.content, member).toContain(member)
      }
    },
  )

  it('S0-39 S0-40 replan is given goal, new clarification, observations and the remaining plan', async () => {
    const requests = await prompts('en')
    const replan = shown(requests.filter((one) => one.metadata.phase === 'replan')[0]?.messages[1]?.content)
    expect(replan).toMatchObject({
      goal: 'Plan my Friday',
      clarifications: [{ question: 'When?', answer: 'tomorrow' }],
      observations: [{ tool: 'todo', input: '/todo add milk', ok: true, result: 'added #1' }],
      plan: [{ title: 'A' }, { title: 'B' }],
    })
  })

  it('O0-14 observations are cut to the limit with dots at the end, the list keeps the newest N', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act('one'), act('two'), act('three'), ask()],
      tools: [
        { ok: true, text: 'x'.repeat(80) },
        { ok: true, text: 'y'.repeat(80) },
        { ok: true, text: 'z' },
      ],
    })
    await createTask(bench, { observation_char_limit: 50, observation_history_limit: 2 }, ALL)
    const { observations } = shown(bench.requests.at(-1)?.messages[1]?.content)
    expect(observations.map((one: { result: string }) => one.result)).toEqual([`${'y'.repeat(47)}...`, 'z'])
  })

  it('S0-72 the last thought is the user-safe text of the decision, never a think block', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [`<think>secret musing</think>${JSON.stringify(act())}`] })
    const task = await createTask(bench, {}, { rounds: 1, max_ms: 25_000 })
    expect(task.last_thought).toMatchObject({ phase: 'thought', decision: 'continue', text: 'act' })
    expect(JSON.stringify(task)).not.toContain('secret musing')
  })
})
