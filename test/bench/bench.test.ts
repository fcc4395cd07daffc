/** The parts of the bench that its figures rest on: answers read whole, tasks kept apart, ratios of what was measured in turn. */
import { describe, expect, it } from 'vitest'
import { wholeAnswer } from '../../bench/client.ts'
import { inTurn, median } from '../../bench/load.ts'
import { aims, isMet, withTable } from '../../bench/report.ts'
import { FULL, type Results, type Series } from '../../bench/run.ts'
import { replyOf, roundsOf } from '../../bench/task.ts'

describe('an answer on the wire', () => {
  const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'
  const CHUNKED = 'HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n'
  it.each([
    ['its head is not whole', 'HTTP/1.1 200 OK\r\nContent-Le', null],
    ['its body is not whole', `${LENGTH}{"a`, null],
    ['its last chunk is not there', `${CHUNKED}2\r\n{}\r\n`, null],
    ['it has a length, in bytes', `${LENGTH}\xc3\xa9\xc3\xa9`, { status: 200, body: 'éé' }],
    [
      'it comes in chunks',
      `${CHUNKED}1\r\n{\r\na\r\n"key":1234\r\n1\r\n}\r\n0\r\n\r\n`,
      { status: 409, body: '{"key":1234}' },
    ],
  ])('is read when it is whole: %s', (_, received, expected) => {
    expect(wholeAnswer(received)).toEqual(expected)
  })
})

describe('the load', () => {
  it.each([1, 16, 64])('asks each task in turn and none by two of %i connections', (lanes) => {
    const ids = Array.from({ length: 100 }, (_, index) => `task ${index}`)
    const next = inTurn(ids)
    const asked = Array.from({ length: lanes }, (_, lane) => Array.from({ length: 300 }, () => next(lane, lanes)))
    expect(new Set(asked.flat()).size).toBe(100)
    const owners = asked.flatMap((own, lane) => [...new Set(own)].map((id) => ({ id, lane })))
    expect(owners).toHaveLength(100)
  })

  it('knows the middle of an even and of an odd number', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).toEqual([2, 2.5, 7])
  })
})

describe('the bench task', () => {
  it('costs four steps an item: thought, tool, thought, replan', () => {
    const said = [3, 5, 6, 7].map((seq) => replyOf('bench', seq === 6 ? 'replan' : 'thought', seq))
    expect(said).toMatchObject([
      { status: 'continue' },
      { status: 'done' },
      { status: 'replanned' },
      { status: 'continue' },
    ])
    expect([2, 3, 4, 15, 16, 20, 200].map(roundsOf)).toEqual([1, 2, 3, 11, 12, 15, 150])
  })
})

describe('the report', () => {
  const series = (id: string, load: string, figures: [number, number][]): Series => ({
    id,
    title: id,
    load,
    samples: figures.map(([per_s, cpu_ms]) => ({ requests: 10, per_s, p50_ms: 1, cpu_ms })),
  })
  const results: Results = {
    made_at: '2026-01-01T00:00:00.000Z',
    machine: { cpu: 'c', cores: 2, platform: 'p', node: 'v', load_average: 0 },
    scale: FULL,
    model_ceiling: { requests: 1, per_s: 1, p50_ms: 1, cpu_ms: 1 },
    prompt_bytes: 1,
    series: [
      series('e', '16', [
        [100, 2],
        [200, 1],
        [100, 2],
      ]),
      series('c', '16', [[200, 1]]),
      series('n', '16', [[400, 1]]),
      series('model', '16', [
        [90, 2],
        [150, 2],
        [90, 2],
      ]),
      series('tool', '16', [[100, 4]]),
      series('s', 'slices', [[1, 10]]),
      series('slice', 'slices', [[1, 15]]),
    ],
    growth: {
      windows: [
        { first: 21, last: 40, cpu_ms_per_step: [1, 2] },
        { first: 181, last: 200, cpu_ms_per_step: [1.5, 2.5] },
      ],
      stored_bytes: 1,
      answer_bytes_max: 1,
      steps: 200,
    },
    startup: { service: [90], json: [30] },
    seconds: 1,
  }

  it('holds medians against each other, and says the least and the most of what was measured side by side', () => {
    const [of_e, of_c, tool, slice, late, start] = aims(results)
    expect(of_e).toMatchObject({ ratio: 1, min: 0.5, max: 1 })
    expect(of_c).toMatchObject({ ratio: 0.5 })
    expect(tool).toMatchObject({ ratio: 0.25 })
    expect(slice).toMatchObject({ ratio: 1.5 })
    expect(late).toMatchObject({ min: 1.25, max: 1.5, bound: 1.1 })
    expect(start).toMatchObject({ ratio: 3 })
    expect(aims(results).map(isMet)).toEqual([true, false, false, true, false, true])
  })

  it('puts its figures between the marks of the page, in the place of earlier ones', () => {
    const page = 'before\n<!-- figures: written by npm run bench -- --write -->\nold\n<!-- end of figures -->\nafter\n'
    const once = withTable(page, results)
    expect(once).toContain('| start-up, CPU of floor (a)')
    expect(once).not.toContain('old')
    expect([once.startsWith('before\n'), once.endsWith('\nafter\n'), withTable(once, results)]).toEqual([
      true,
      true,
      once,
    ])
    expect(() => withTable('no marks', results)).toThrow('lost the marks')
  })
})
