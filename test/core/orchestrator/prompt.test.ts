/** Prompts of orchestrator: one per phase and language, each kept as a snapshot; templates and examples satisfy their contracts (O2-02). */
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../../src/core/modes/orchestrator/contract.ts'
import { SYSTEM } from '../../../src/core/modes/orchestrator/prompt-words.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { LENIENT } from '../../support/readers.ts'
import { context } from '../../support/scripted.ts'
import { answered, judge, orchestrated, report, steps, work } from './support.ts'

async function prompts(locale: 'en' | 'zh') {
  const goal = locale === 'zh' ? '复现项目并提高准确率' : 'Reproduce the project and raise its accuracy'
  const evaluate = [judge('retry', 'no figures'), judge('next', 'A is there'), judge('next', 'B is there')]
  const { bench, task } = await orchestrated({ plan: [steps('A', 'B')], evaluate }, {}, { locale, goal })
  await work(bench, task.id)
  await answered(bench, task.id, report('FAILED', { results: 'none', pitfalls: 'no GPU', next_steps: 'use the CPU' }))
  await answered(bench, task.id, report())
  await answered(bench, task.id, report())
  bench.spent()
  return bench.requests
}

describe.each(['en', 'zh'] as const)('prompts in %s', (locale) => {
  it.each(['plan', 'evaluate', 'summary'])('the prompt of %s is in the language of the goal', async (phase) => {
    const request = (await prompts(locale)).find(({ metadata }) => metadata.phase === phase)
    expect(request?.messages).toHaveLength(2)
    expect(request?.messages[0]?.content).toBe(SYSTEM[locale])
    expect(context(request)).toMatchSnapshot()
  })

  it('the system message has the rules of all phases and is the same in each request', async () => {
    const systems = new Set((await prompts(locale)).map(({ messages }) => messages[0]?.content))
    expect(systems.size).toBe(1)
    expect([...systems][0]).toMatchSnapshot()
  })

  it('each member of a prompt is explained in the system message', async () => {
    for (const request of await prompts(locale))
      for (const name of Object.keys(context(request))) expect(SYSTEM[locale]).toContain(name)
  })

  it('what stays stands first and what differs stands last, with the phase at the end', async () => {
    for (const request of await prompts(locale)) {
      const names = Object.keys(context(request))
      expect(names.slice(0, 4)).toEqual(['goal', 'locale', 'timezone', 'plan'])
      expect(names.slice(4, 7)).toEqual(['completed', 'clarifications', 'remarks'])
      expect(names.slice(-4)).toEqual(['step_count', 'max_steps', 'local_time', 'phase'])
    }
  })

  it.each(['plan', 'evaluate'] as const)('template and example of %s keep its own contract', async (phase) => {
    const request = (await prompts(locale)).find(({ metadata }) => metadata.phase === phase)
    const text = request?.messages[0]?.content.split(`## phase "${phase}"`)[1]?.split('## phase')[0] ?? ''
    const shown = [...text.matchAll(/^(?:Template: |Example: |模板：|示例：)(\{.*\})$/gm)]
    expect(shown).toHaveLength(2)
    for (const [, reply = ''] of shown)
      expect(readReply<unknown>(CONTRACTS[phase], reply, LENIENT)).toMatchObject({ ok: true })
  })
})

it('O2-02 the evaluator sees title, description, status, the first 3,000 characters of the report, and the titles that are left', async () => {
  const { bench, task } = await orchestrated({ plan: [steps('A', 'B', 'C')], evaluate: [judge('next')] })
  await work(bench, task.id)
  await answered(bench, task.id, report('PARTIAL_SUCCESS', { text: `${'x'.repeat(2_990)}${'y'.repeat(5_000)}` }))
  const seen = context(bench.requests[1])
  expect(seen).toMatchObject({
    current_item: { title: 'A', description: 'Do A' },
    report: { status: 'PARTIAL_SUCCESS' },
    remaining: ['B', 'C'],
    plan: [{ title: 'A' }, { title: 'B', description: 'Do B' }, { title: 'C' }],
    questions_left: 6,
    attempt: 1,
    retries_left: 3,
    replans_left: 10,
  })
  expect(seen.report.text).toHaveLength(3_000)
})
