/** Prompts of dynamic: one per phase and language, each kept as a snapshot; templates and examples stand in them (S3-39). */
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../../src/core/modes/dynamic/contract.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { benchOf, context, createTask, ALL } from '../../support/scripted.ts'
import { action, complete, goOn, steps, told } from './support.ts'

async function prompts(locale: 'en' | 'zh', merged_calls = false) {
  const rounds = told(
    [steps('A', 'B')],
    [[goOn({ add: ['C'] }), action()], [complete()], [complete()], [complete()]],
    merged_calls,
  )
  const bench = benchOf({ ...rounds, tools: [{ ok: true, text: 'added #1' }] })
  await createTask(bench, { merged_calls }, ALL, {
    mode: 'dynamic',
    locale,
    goal: locale === 'zh' ? '安排周五' : 'Plan my Friday',
  })
  bench.spent()
  return bench.requests
}

const WITH_MOVE: [string, boolean][] = [
  ['plan', false],
  ['think', false],
  ['step_decision', false],
  ['action', false],
  ['step_decision', true],
]

describe.each(['en', 'zh'] as const)('prompts in %s', (locale) => {
  it.each(WITH_MOVE)('S3-39 the prompt of %s is in the language of the goal, merged: %s', async (phase, merged) => {
    const of_phase = (await prompts(locale, merged)).filter(({ metadata }) => metadata.phase === phase)
    const request = of_phase[1] ?? of_phase[0]
    expect(request?.messages).toHaveLength(2)
    expect(request?.messages[0]?.content).toMatchSnapshot()
    expect(context(request)).toMatchSnapshot()
    expect([context(request).phase, context(request).merged]).toEqual([phase, merged ? true : undefined])
  })

  it.each(WITH_MOVE)('S3-39 template and example of %s keep its own contract, merged: %s', async (phase, merged) => {
    const request = (await prompts(locale, merged)).find(({ metadata }) => metadata.phase === phase)
    const shown = [
      ...(request?.messages[0]?.content ?? '').matchAll(/^(?:Template: |Example: |模板：|示例：)(\{.*\})$/gm),
    ]
    expect(shown).toHaveLength(2)
    const contract = CONTRACTS[merged ? 'move' : (phase as keyof typeof CONTRACTS)]
    for (const [, reply = ''] of shown) expect(readReply<unknown>(contract, reply)).toMatchObject({ ok: true })
  })
})
