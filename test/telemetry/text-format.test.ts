/** What a scraper reads: the two forms, held to a strict reader. */
import { describe, expect, it } from 'vitest'
import { NO_GAUGES } from '../../src/telemetry/metrics/catalogue.ts'
import { newRecorder } from '../../src/telemetry/metrics/recorder.ts'
import type { Snapshot } from '../../src/telemetry/metrics/series.ts'
import { formFor, metricsText } from '../../src/telemetry/metrics/text-format.ts'
import { readMetrics, valueOf } from '../support/prometheus.ts'

const HOSTILE = 'a"b\\c\nd{e="f"} 7\r# HELP x\u0000é'

function snapshot(): Snapshot {
  const recorder = newRecorder(
    () => 'i',
    10,
    () => {},
  )
  recorder.count('http_requests', { route: HOSTILE, method: 'GET', status: '2xx' }, 3)
  recorder.count('cost_usd', { mode: 'dynamic' }, 1_234_567)
  for (const ms of [0, 5, 6, 2_500, 61_000, Infinity, -3])
    recorder.observe('http_request_duration_seconds', { route: '/tasks', method: 'GET' }, ms)
  recorder.observe('http_request_duration_seconds', { route: '/', method: 'GET' }, 1_000)
  return { counts: recorder.take()?.counts ?? {}, gauges: { ...NO_GAUGES, open_tasks: 4 }, workspaces: 2, isolates: 1 }
}

describe('the text of the metrics', () => {
  it.each(['text', 'openmetrics'] as const)(
    'MET-01 as %s is read by a strict reader, with every value as it was',
    (form) => {
      const families = readMetrics(metricsText(snapshot(), '1.2.3', form), form)
      expect(valueOf(families, 'loop_agent_http_requests_total', { route: HOSTILE })).toBe(3)
      expect(valueOf(families, 'loop_agent_cost_usd_total', { mode: 'dynamic' })).toBe(1.234567)
      expect(valueOf(families, 'loop_agent_open_tasks')).toBe(4)
      expect(valueOf(families, 'loop_agent_build_info', { version: '1.2.3' })).toBe(1)
      for (const { help, samples } of families) {
        expect(help).toMatch(/[\w)]\.$/)
        for (const { name } of samples) expect(name).toMatch(/^loop_agent_[a-z_]+$/)
      }
    },
  )

  it('MET-01 a histogram counts a value in the bucket of its bound and in all above it', () => {
    const families = readMetrics(metricsText(snapshot(), '1', 'text'))
    const at = (le: string) =>
      valueOf(families, 'loop_agent_http_request_duration_seconds_bucket', { route: '/tasks', le })
    expect(['0.005', '0.01', '2.5', '60', '+Inf'].map(at)).toEqual([4, 5, 6, 6, 7])
    expect(valueOf(families, 'loop_agent_http_request_duration_seconds_sum', { route: '/tasks' })).toBe(63.511)
  })

  it('MET-01 a bound is the same label in OpenMetrics whether it is whole or not', () => {
    const text = metricsText(snapshot(), '1', 'openmetrics')
    expect(text).toContain('le="1.0"')
    expect(text).not.toMatch(/le="\d+"/)
    expect(metricsText(snapshot(), '1', 'text')).toContain('le="1"')
  })

  it('MET-01 nothing counted is an answer too', () => {
    const empty = { counts: {}, gauges: NO_GAUGES, workspaces: 0, isolates: 0 }
    const families = readMetrics(metricsText(empty, '1', 'openmetrics'), 'openmetrics')
    expect(families.filter(({ samples }) => samples.length === 0).map(({ type }) => type)).toContain('histogram')
  })
})

it.each([
  [null, 'text'],
  ['', 'text'],
  ['*/*', 'text'],
  ['text/plain', 'text'],
  ['application/openmetrics-text', 'openmetrics'],
  ['application/openmetrics-text; version=1.0.0; q=0.2, text/plain; q=0.5', 'text'],
  [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics',
  ],
  ['application/openmetrics-text;q=0', 'text'],
  ['application/openmetrics-text;q=nonsense', 'text'],
  [`${','.repeat(5_000)}application/openmetrics-text`, 'text'],
])('MET-01 for Accept %j a scraper gets %s', (accept, form) => {
  expect(formFor(accept)).toBe(form)
})

it.each([
  ['a_total 1', 'a sample without a family'],
  ['# HELP a x.\n# TYPE a gauge\na 1\na 1', 'a series twice'],
  ['# HELP a x.\n# TYPE a gauge\nb 1', 'a sample of another family'],
  ['# HELP a x.\n# TYPE a gauge\na{b="\\x"} 1', 'an unknown escape'],
  ['# HELP a x.\n# TYPE a gauge\na{b="c"d"} 1', 'a quote that is not escaped'],
  ['# HELP a_total x.\n# TYPE a_total counter\na_total -1', 'a counter below 0'],
  [
    '# HELP h x.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1',
    'a histogram that falls',
  ],
  ['# HELP h x.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_sum 1\nh_count 2', 'a histogram without +Inf'],
])('MET-01 the reader of these tests refuses %j: %s', (text) => {
  expect(() => readMetrics(`${text}\n`)).toThrow(/^(?:not |a series|a label|labels|an escape)/)
})
