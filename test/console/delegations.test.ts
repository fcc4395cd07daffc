/** What the console works out about delegations: reports as they are sent, time that is left, what stays in sight. */
import { describe, expect, it } from 'vitest'
import { alternateOf } from '../../src/console/views/workspace/subscription.tsx'
import { timePartsUntil } from '../../src/console/parts/time/time-left.tsx'
import { newReportDraft, reportBody, splitFrontMatter } from '../../src/console/views/delegations/report-draft.ts'
import { poolOptions, withOpened } from '../../src/console/views/delegations/listing.ts'
import type { DelegationView } from '../../src/core/shown/delegation-view.ts'
import { writeCommandFile } from '../../src/delegations/command-file.ts'
import { SendReport } from '../../src/http/shapes/delegation-requests.ts'

const draft = newReportDraft({ command_id: 'task-1', session_id: 'auto' })

describe('a report', () => {
  it('names its command, and leaves out all empty fields except the text', () => {
    expect(reportBody(draft)).toEqual({ status: 'SUCCESS', command_id: 'task-1', text: '' })
    expect(SendReport.safeParse(reportBody(draft)).success).toBe(true)
  })
  it('goes on in the session of its command', () => {
    expect(reportBody(newReportDraft({ command_id: 'task-1', session_id: 'ses-7' }))).toMatchObject({
      session_id: 'ses-7',
    })
  })
  it('keeps its texts unchanged, and the service accepts it', () => {
    const body = reportBody({
      ...draft,
      status: 'PARTIAL_SUCCESS',
      results: '  - "done"\n---\n',
      pitfalls: '无',
      next_steps: '<b>',
      text: '\n',
      tokens: '1200',
      seconds: '41',
      cost_usd: ' 0.02 ',
    })
    expect(SendReport.parse(body)).toEqual({
      status: 'PARTIAL_SUCCESS',
      command_id: 'task-1',
      results: '  - "done"\n---\n',
      pitfalls: '无',
      next_steps: '<b>',
      text: '\n',
      spent: { tokens: 1200, seconds: 41, cost_usd: '0.02' },
    })
  })
  it.each([{ tokens: 'many' }, { tokens: '-1' }, { seconds: '1.5' }, { cost_usd: '1e3' }])(
    '%j is sent, so that the service can refuse it',
    (part) => {
      expect(SendReport.safeParse(reportBody({ ...draft, ...part })).success).toBe(false)
    },
  )
})

it('the body of a command file is separated from its front matter, whatever its texts contain', () => {
  const file = writeCommandFile({
    id: 'task-1',
    created_at: '2030-01-01T09:00:00Z',
    session_id: 'auto',
    command_type: 'new',
    report_url: null,
    budget: null,
    task: 'a\n---\nb',
    constraints: '',
    expected_output: 'c',
  })
  const { front, body } = splitFrontMatter(file)
  expect(front).toContain('session_id: auto')
  expect(body).not.toContain('session_id')
  expect(body).toContain('a\n---\nb')
  expect(splitFrontMatter('no front matter')).toEqual({ front: '', body: 'no front matter' })
})

it.each<[string, string]>([
  ['2030-01-01T00:00:00.001Z', '1 second'],
  ['2030-01-01T00:01:00Z', '1 minute'],
  ['2030-01-01T01:05:59Z', '1 hour 5 minute'],
  ['2030-01-03T00:00:01Z', '2 day'],
  ['2030-01-01T00:00:00Z', ''],
  ['2029-12-31T00:00:00Z', ''],
  ['never', ''],
])('until %s there is still %j', (at, told) => {
  const left = timePartsUntil(at, Date.parse('2030-01-01T00:00:00Z'))
  expect(left.map(({ unit, count }) => `${count} ${unit}`).join(' ')).toBe(told)
})

const view = (id: string, created_at: string, status: DelegationView['status'] = 'pending'): DelegationView => ({
  id,
  task_id: 'task_1',
  item_id: null,
  pool: null,
  command_id: `command-${id}`,
  command_type: 'new',
  session_id: 'auto',
  status,
  deadline: created_at,
  created_at,
  report: null,
  claim: null,
  budget: null,
  report_url: null,
})

it('an open delegation stays in place when the list lacks it, and takes its state from the list otherwise', () => {
  const [first, second, third] = ['2030-03', '2030-02', '2030-01'].map((at, n) => view(String(n), `${at}-01T00:00:00Z`))
  if (first === undefined || second === undefined || third === undefined) throw new Error('three were made')
  expect(withOpened([first, third], [second]).map(({ id }) => id)).toEqual(['0', '1', '2'])
  const claimed = { ...second, status: 'claimed' as const }
  expect(withOpened([claimed], [second])).toEqual([claimed])
})

it('only a web address from the Link of a calendar is shown', () => {
  expect(alternateOf('<https://x.example/calendar.ics?token=a.b>; rel="alternate"; type="text/calendar"')).toBe(
    'https://x.example/calendar.ics?token=a.b',
  )
  for (const link of [null, '', '<javascript:alert(1)>; rel="alternate"', '<https://x.example/>; rel="next"'])
    expect(alternateOf(link)).toBeNull()
})

describe('the choice of a pool', () => {
  const pools = [
    { name: null, pending: 0 },
    { name: 'cpu', pending: 0 },
    { name: 'gpu', pending: 2 },
  ]
  it('POOL-07 has the default pool first, and says what is pending in each', () => {
    expect(poolOptions(pools, '', 'default pool')).toEqual([
      ['', 'default pool'],
      ['cpu', 'cpu'],
      ['gpu', 'gpu (2)'],
    ])
  })
  it('POOL-07 has one entry where no task names a pool, or nothing was read yet', () => {
    expect(poolOptions(pools.slice(0, 1), '', 'default pool')).toEqual([['', 'default pool']])
    expect(poolOptions([], '', 'default pool')).toEqual([['', 'default pool']])
  })
  it('POOL-07 keeps a pool that is chosen, though its last task was deleted', () => {
    expect(poolOptions(pools.slice(0, 2), 'gpu', 'default pool').at(-1)).toEqual(['gpu', 'gpu'])
  })
})
