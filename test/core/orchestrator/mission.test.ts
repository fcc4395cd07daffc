/** MISSION.md: goal, roadmap, progress, pitfalls, next steps, change log – up to date whenever it is looked at (S2-07, O2-09). */
import { describe, expect, it } from 'vitest'
import { CALLER, say } from '../../support/scripted.ts'
import { answered, judge, orchestrated, overdue, report, steps, taskOf, work } from './support.ts'

type Bench = Awaited<ReturnType<typeof orchestrated>>['bench']
async function mission(bench: Bench, id: string): Promise<string> {
  const file = await taskOf(bench, id).ask({ kind: 'file', name: 'MISSION.md' })
  return file.ok ? (file.value?.content ?? '') : ''
}
const part = (text: string, heading: string) => text.split(`## ${heading}\n\n`)[1]?.split('\n\n## ')[0]?.trim()

describe('S2-07 O2-09 the mission', () => {
  it('S2-07 O2-09 has goal, roadmap, progress, pitfalls, next steps and change log', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A', 'B')], evaluate: [judge('next', 'A is there')] })
    const first = await mission(bench, task.id)
    expect([...first.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Goal',
      'Roadmap',
      'Progress',
      'Pitfalls',
      'Next steps',
      'Change log',
    ])
    expect([part(first, 'Goal'), part(first, 'Roadmap'), part(first, 'Pitfalls')]).toEqual([
      '> Reproduce the project',
      '1. A — Do A\n2. B — Do B',
      'None.',
    ])
    await work(bench, task.id)
    await answered(bench, task.id, report('SUCCESS', { pitfalls: 'The cache\nlies.', next_steps: 'Mind the cache' }))
    const text = await mission(bench, task.id)
    expect(part(text, 'Progress')).toContain('| 1 | A | completed | A is there |\n| 2 | B | running |  |')
    expect(part(text, 'Pitfalls')).toBe('- The cache\n- lies.')
    expect(part(text, 'Next steps')).toBe('- B')
    expect(part(text, 'Change log')).toBe(
      '- 2026-11-21T12:00:00.000Z plan made: 2 steps\n- 2026-11-21T12:00:00.000Z next: A is there',
    )
  })

  it('S2-07 is kept current through retry, time-out, question, edit, replan and end', async () => {
    const evaluate = [judge('retry', 'wrong'), judge('replan', 'other ways', 'X'), judge('next', 'X is there')]
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate }, { max_retries_per_step: 1 })
    const { id } = task
    await work(bench, id)
    await answered(bench, id, report('FAILED'))
    await overdue(bench, id)
    await say(bench, id, 'Use the cache', { rounds: 5, max_ms: 25_000 })
    await answered(bench, id, report('PARTIAL_SUCCESS'))
    await answered(bench, id, report())
    const log = part(await mission(bench, id), 'Change log') ?? ''
    expect(log.split('\n').map((line) => line.slice(27))).toEqual([
      'plan made: 1 step',
      'retry: wrong',
      'no report came in time',
      'answered: Use the cache',
      'replan: other ways',
      'next: X is there',
    ])
    expect(part(await mission(bench, id), 'Summary')).toContain('> All is done.')
  })

  it('S2-07 says how a task has ended, and shows no step as running then', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A', 'B')], evaluate: [judge('abort', 'no way')] })
    await work(bench, task.id)
    await answered(bench, task.id, report('FAILED', { pitfalls: '- the data moved\n- 无\n- CUDA is missing' }))
    const text = await mission(bench, task.id)
    expect(part(text, 'Progress')).toContain('| 1 | A | failed |  |\n| 2 | B | skipped |  |')
    expect([part(text, 'Next steps'), part(text, 'End')]).toEqual(['None.', 'The task is failed (aborted).'])
    expect(part(text, 'Pitfalls')).toBe('- the data moved\n- CUDA is missing')
  })

  it('S2-07 is an artifact of the task, which no client and no tool may write', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    await work(bench, task.id)
    const { task: done } = await answered(bench, task.id, report())
    expect(done.result?.artifacts).toMatchObject([
      { name: 'MISSION.md', content_type: 'text/markdown; charset=utf-8' },
      { name: 'report-1.md', content_type: 'text/markdown; charset=utf-8' },
    ])
    expect(await taskOf(bench, task.id).ask({ kind: 'may_write', name: 'MISSION.md', seq: null })).toMatchObject({
      refusal: { code: 'task_ended' },
    })
    const other = await orchestrated({ plan: [steps('A')] })
    expect(
      await taskOf(other.bench, other.task.id).ask({ kind: 'may_write', name: 'MISSION.md', seq: null }),
    ).toMatchObject({
      refusal: { code: 'file_reserved' },
    })
    expect((await bench.service.listFiles(CALLER, task.id, { after: '', limit: 10 })).ok).toBe(true)
  })

  it('S2-07 no text of the goal, of a step or of a report can break its form', async () => {
    const title = 'A | B\n## Goal'
    const plan = [{ title, description: 'x\n| y |', constraints: '', expected_output: '' }]
    const { bench, task } = await orchestrated(
      { plan: [{ steps: plan }], evaluate: [judge('next', 'a | b\n## c')] },
      {},
      { goal: 'One\n## Two' },
    )
    await work(bench, task.id)
    await answered(bench, task.id, report('SUCCESS', { pitfalls: '\n## Pitfalls\n- x' }))
    const text = await mission(bench, task.id)
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['Goal', 'Roadmap', 'Progress', 'Pitfalls', 'Next steps', 'Change log', 'Summary'])
    expect(part(text, 'Progress')?.split('\n').at(-1)).toBe('| 1 | A \\| B ## Goal | completed | a \\| b ## c |')
  })

  it('D7 is written in the language of the task', async () => {
    const { bench, task } = await orchestrated({ plan: [['甲']] }, {}, { locale: 'zh', goal: '复现项目' })
    const text = await mission(bench, task.id)
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      '目标',
      '路线图',
      '进度',
      '填坑记录',
      '下一步',
      '变更记录',
    ])
  })
})
