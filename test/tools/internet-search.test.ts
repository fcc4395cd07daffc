/** The tool `internet_search` over a provider that is scripted. */
import { describe, expect, it, vi } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import type { Search, SearchHit } from '../../src/shell/ports.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { internetSearch } from '../../src/tools/internet-search.ts'

const CALL: ToolContext = {
  tenant: 'acme',
  task: 'task_1',
  key: 'tsk_1:5',
  now_ms: 0,
  timezone: 'UTC',
  locale: 'en',
  settings: DEFAULT_SETTINGS,
  timeout_ms: 30_000,
  traceparent: null,
}
const hit = (n: number, summary = `summary ${n}`): SearchHit => ({
  title: `Title ${n}`,
  summary,
  link: `https://example.org/${n}`,
})
const searchOf = (find: Search['search']) => {
  const search = vi.fn<Search['search']>(find)
  return { search, tool: internetSearch({ name: 'scripted', search }) }
}

describe('results', () => {
  it('O0-13 a search is a numbered list of title, summary or "-", and link', async () => {
    const { tool } = searchOf(async () => [hit(1), hit(2, '')])
    expect(await tool.run('opera', CALL)).toEqual({
      ok: true,
      code: 'search_results',
      text: '1. Title 1\n   summary 1\n   https://example.org/1\n2. Title 2\n   -\n   https://example.org/2',
    })
  })
  it.each([1, 3, 10])(
    'O0-13 U48 %d results are asked for and shown, although the provider has more',
    async (search_top_k) => {
      const { search, tool } = searchOf(async (_, { top_k }) =>
        Array.from({ length: top_k + 2 }, (_, index) => hit(index)),
      )
      const { text } = await tool.run('opera', { ...CALL, settings: { ...DEFAULT_SETTINGS, search_top_k } })
      expect(text.split('\n')).toHaveLength(3 * search_top_k)
      expect(search.mock.calls[0]?.[1].top_k).toBe(search_top_k)
    },
  )
  it.each([
    ['is trimmed', '  opera\n house ', 'opera house'],
    ['is cut to 400 characters', '🥛'.repeat(500), '🥛'.repeat(400)],
    ['has no half characters', 'a\ud83d', 'a\ufffd'],
  ])('O0-13 the query %s', async (_, input, query) => {
    const { search, tool } = searchOf(async () => [])
    await tool.run(input, CALL)
    expect(search.mock.calls.map(([asked]) => asked)).toEqual([query])
  })
  it.each([
    [30_000, 15_000],
    [4_000, 4_000],
  ])('O0-13 a call with %d ms left gives a search %d ms', async (timeout_ms, expected) => {
    const { search, tool } = searchOf(async () => [hit(1)])
    await tool.run('opera', { ...CALL, timeout_ms, locale: 'zh' })
    expect(search.mock.calls[0]?.[1]).toMatchObject({ timeout_ms: expected, locale: 'zh' })
  })
})

describe('failures', () => {
  it.each([
    ['en' as const, 'Usage: internet_search needs words to search for.'],
    ['zh' as const, '用法: internet_search 需要搜索词。'],
  ])('O0-13 a blank query is a failed action without a request (%s)', async (locale, text) => {
    const { search, tool } = searchOf(async () => [hit(1)])
    expect(await tool.run(' \n\t', { ...CALL, locale })).toEqual({ ok: false, code: 'usage_error', text })
    expect(search).not.toHaveBeenCalled()
  })
  it.each([
    ['en' as const, 'No results for "opera".'],
    ['zh' as const, '没有找到“opera”的搜索结果。'],
  ])('O0-13 an empty result is a failed action (%s)', async (locale, text) => {
    const { tool } = searchOf(async () => [])
    expect(await tool.run('opera', { ...CALL, locale })).toEqual({ ok: false, code: 'no_results', text })
  })
  it.each([
    ['en' as const, new Error('HTTP 503'), 'The search failed: HTTP 503.'],
    ['zh' as const, new Error('HTTP 503'), '搜索失败：HTTP 503。'],
    ['en' as const, 'no error at all', 'The search failed: unknown failure.'],
  ])('O0-13 a provider error is one failed action after one request (%s, %s)', async (locale, error, text) => {
    const { search, tool } = searchOf(() => Promise.reject(error))
    expect(await tool.run('opera', { ...CALL, locale })).toEqual({ ok: false, code: 'search_failed', text })
    expect(search).toHaveBeenCalledTimes(1)
  })
  it('O0-13 a provider that throws at once is a failed action', async () => {
    const { tool } = searchOf(() => {
      throw new Error('bad address')
    })
    expect(await tool.run('opera', CALL)).toMatchObject({ ok: false, code: 'search_failed' })
  })
  it('O0-13 a provider that forgets its deadline is a failed action at the deadline', async () => {
    const { tool } = searchOf(() => new Promise(() => undefined))
    const text = 'The search failed: timed out.'
    expect(await tool.run('opera', { ...CALL, timeout_ms: 20 })).toEqual({ ok: false, code: 'search_failed', text })
  })
})
