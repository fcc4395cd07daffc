/**
 * Texts of models, tools, workers and strangers that want to be a script: each is shown where it belongs, and none of them runs, loads, leads
 * away, or becomes an element that could. (The bench fails a page that asks elsewhere or that its policy had to stop.)
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { act, closed, done, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { consoleBench, type ConsoleBench } from './bench.ts'
import { PAYLOADS } from './payloads.ts'

/** Shows where a text stands that Markdown may take apart. */
const markOf = (index: number) => `mark${index}mark`
const rowOf = (index: number) => ({ index, payload: PAYLOADS[index] ?? '', mark: markOf(index) })
const ROWS = PAYLOADS.map((_, index) => rowOf(index))
/** One line, as titles are. */
const line = (payload: string) => payload.replace(/\s+/g, ' ').trim()

/** A page on which nothing may run, and that stays where it is; `dialogs` are what has popped up. */
async function opened(bench: ConsoleBench, fragment: string): Promise<Page> {
  const page = await bench.open(fragment)
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => page.evaluate('window.pwned = "dialog"')))
  return page
}
const expectShown = async (page: Page, text: string) =>
  await expect
    .poll(() => page.evaluate(`document.body.textContent.includes(${JSON.stringify(text)})`), {
      message: `${text} in ${page.url()}`,
      timeout: 10_000,
    })
    .toBe(true)

/** What of the page could run, load or lead away, though its own script has not put it there. */
const DANGERS = `[...document.querySelectorAll('*')].flatMap((element) => {
  const name = element.localName
  const found = []
  const own = name === 'script' ? /^\\/console\\//.test(element.getAttribute('src') ?? '') : name === 'link' ? document.head.contains(element) : true
  if (!own || ['iframe', 'object', 'embed', 'base', 'math', 'template', 'style', 'video', 'audio', 'animate', 'foreignobject'].includes(name)) found.push(name)
  if (name === 'meta' && element.httpEquiv !== '') found.push('meta ' + element.httpEquiv)
  if (name === 'form' && element.hasAttribute('action')) found.push('form action')
  for (const { name: attribute, value } of element.attributes) {
    if (attribute.startsWith('on') || attribute === 'srcdoc') found.push(name + ' ' + attribute)
    if (/^(?:href|src|action|formaction|xlink:href|data)$/.test(attribute) && /^(?!https?:|mailto:|blob:|[/#])/i.test(value) && !(name === 'link' && own)) found.push(name + ' ' + attribute + '=' + value)
    if (/^(?:src|data|poster)$/.test(attribute) && /evil/.test(value)) found.push(name + ' ' + attribute + '=' + value)
  }
  if (element.closest('.markdown') !== null && (element.id !== '' || element.hasAttribute('style') || element.hasAttribute('class') && !element.matches('.markdown'))) found.push(name + ' of Markdown with id, class or style')
  if (element.closest('.markdown a') === element && (element.target !== '_blank' || element.rel !== 'noopener noreferrer')) found.push('a link without rel')
  return found
})`
async function expectUnharmed(page: Page, fragment: string): Promise<void> {
  expect(await page.evaluate(DANGERS)).toEqual([])
  expect(await page.evaluate('[typeof window.pwned, document.querySelectorAll("#console").length]')).toEqual([
    'undefined',
    1,
  ])
  expect(await page.evaluate('location.hash')).toBe(fragment)
}

describe('hostile texts of a model, its tools and its callers', { timeout: 120_000 }, () => {
  let model: ScriptedOpenai
  const asking = (payload: string, mark: string) => ({
    status: 'ask_user',
    current_step: payload,
    next_action: null,
    question: `${mark} ${payload}`,
    response: null,
    choices: [`${payload.slice(0, 150)} one`, 'two'],
  })
  const made: { asking: string; completed: string; paused: string }[] = []
  beforeAll(async () => {
    // Task by task: one that is done, one that asks, one that its limit stops.
    model = await startScriptedOpenai({
      plan: PAYLOADS.flatMap((payload) => [
        planned(line(payload)),
        planned(line(payload)),
        planned(line(payload), 'more'),
      ]),
      thought: ROWS.flatMap(({ payload, mark }) => [
        { ...act(`/todo add ${line(payload)}`), current_step: `${mark} ${payload}` },
        done(`${mark} ${payload}`),
        asking(payload, mark),
        { ...act('/todo list'), current_step: payload },
      ]),
      replan: ROWS.map(({ payload, mark }) => closed(`${mark}\n\n${payload}\n\n${mark}`)),
    })
  })
  afterAll(() => model.close())
  const bench = consoleBench(() => ({
    ...openaiAt(model.base_url),
    RATE_LIMIT_PER_MINUTE: '6000',
    MAX_OPEN_TASKS: '1000',
  }))
  beforeAll(async () => {
    for (const { payload, mark } of ROWS) {
      const task = async (more: object) =>
        (await bench.task('POST', '/tasks', { goal: `${mark} ${payload}`, rounds: 9, ...more })).id
      const completed = await task({ metadata: { note: payload.slice(0, 200) } })
      const asking = await task({})
      const put = await fetch(`${bench.url()}/tasks/${asking}/files/a.csv`, {
        method: 'PUT',
        headers: { authorization: 'Bearer dev-key' },
        body: `${mark} ${payload}`,
      })
      if (put.status !== 201) throw new Error(`the file was refused: ${put.status}`)
      made.push({ completed, asking, paused: await task({ settings: { max_steps: 2 } }) })
    }
  })
  const ofKind = (kind: 'asking' | 'completed' | 'paused', index: number) => `#/tasks/${made[index]?.[kind] ?? ''}`

  it('each task has a goal, a plan, thoughts, a result, a question or a handover with the payload', async () => {
    expect(made).toHaveLength(PAYLOADS.length)
    expect(model.leftovers()).toEqual({})
    for (const { completed, asking, paused } of made) {
      expect(await bench.task('GET', `/tasks/${completed}`)).toMatchObject({
        status: 'completed',
        counters: { actions: 1 },
      })
      expect(await bench.task('GET', `/tasks/${asking}`)).toMatchObject({
        status: 'input_required',
        pending: { kind: 'question' },
      })
      expect(await bench.task('GET', `/tasks/${paused}`)).toMatchObject({ status: 'paused', handover: {} })
    }
  })
  it.each(ROWS)('$payload', async ({ index, payload, mark }) => {
    const page = await opened(bench, ofKind('completed', index))
    await page.getByRole('navigation').first().waitFor()
    await expectShown(page, mark)
    await expectShown(page, line(payload).slice(0, 60))
    await expectUnharmed(page, ofKind('completed', index))
    for (const fragment of [
      `${ofKind('completed', index)}/journal`,
      `${ofKind('asking', index)}/files`,
      `${ofKind('completed', index)}/raw`,
      ofKind('asking', index),
      ofKind('paused', index),
    ]) {
      await page.goto(`${bench.url()}/${fragment}`)
      await page.locator('.task').waitFor()
      await expectShown(page, mark)
      // All that can be opened is: what is inside is drawn by that.
      await page.evaluate(`for (const part of document.querySelectorAll('main details')) part.open = true`)
      await expectUnharmed(page, fragment)
    }
  })
  it('in the list of tasks and among the todos', async () => {
    for (const fragment of ['#/tasks', '#/desk']) {
      const page = await opened(bench, fragment)
      await expectShown(page, 'window.pwned=1')
      await expectUnharmed(page, fragment)
    }
  })
})
