/** `run`, `follow` and `wait` of the TypeScript client: a task from change to change, by its events or by looking at it. */
import { describe, expect, it } from 'vitest'
import type { Task } from '../../clients/typescript/src/index.ts'
import { END_TEXT, eventText, failureOf, json, problem, scriptedClient, streamOf, task, type Sent } from './bench.ts'

const QUESTION = { kind: 'question', request_id: 'q_1' }

/** A service with one task, whose states follow each other with each POST or, of a background task, with each look. */
function serviceOf(states: object[], { stream = () => problem(429, 'too_many_watchers'), drive = 'manual' } = {}) {
  const asked: string[] = []
  let at = 0
  const answer = ({ method, url }: Sent): Response => {
    const path = url.replace('/tasks/task_1', '').replace(/\?.*/, '')
    asked.push(`${method} ${path}`)
    if (path === '/events') return stream()
    if (method === 'POST' && url !== '/tasks') at += 1
    const { ...state } = states[Math.min(at, states.length - 1)]
    if (drive === 'background') at += 1
    return json({ ...task(0, 'running'), drive, ...state })
  }
  return {
    ...scriptedClient(
      Array.from({ length: 40 }, () => answer),
      { retries: 0 },
    ),
    asked,
  }
}

async function statesOf(tasks: AsyncIterable<Task>, onTask: (task: Task) => unknown = () => undefined) {
  const seen: string[] = []
  for await (const one of tasks) {
    seen.push(`${one.version} ${one.status}`)
    await onTask(one)
  }
  return seen
}

describe('U59 run', () => {
  it('U59 makes a task and steps it to its end', async () => {
    const { client, asked, sent } = serviceOf([
      { version: 1, status: 'running' },
      { version: 2, status: 'running' },
      { version: 3, status: 'completed' },
    ])
    expect(await statesOf(client.run('Buy milk', { rounds: 3 }))).toEqual(['1 running', '2 running', '3 completed'])
    expect(asked).toEqual(['POST /tasks', 'POST /step', 'POST /step', 'GET '])
    expect(sent.slice(0, 2).map(({ body }) => body)).toEqual(['{"goal":"Buy milk","rounds":3}', '{"rounds":3}'])
  })

  it('U59 ends at a question, and goes on if the body of the loop answers it', async () => {
    const states = [
      { version: 1, status: 'input_required', pending: QUESTION },
      { version: 2, status: 'running' },
      { version: 3, status: 'completed' },
    ]
    const open = serviceOf(states)
    expect(await statesOf(open.client.run('Book'))).toEqual(['1 input_required'])
    const { client, sent } = serviceOf(states)
    const answer = (one: Task) => one.status === 'input_required' && client.answer(one, '45 minutes')
    expect(await statesOf(client.run('Book'), answer)).toEqual(['1 input_required', '2 running', '3 completed'])
    expect(sent[1]?.body).toBe('{"input":"45 minutes","request_id":"q_1"}')
  })

  it('U59 waits as long as the task asks for, and gives nothing twice', async () => {
    const { client, slept } = serviceOf([
      { version: 1, status: 'running', retry_after_ms: 2500 },
      { version: 1, status: 'running' },
      { version: 2, status: 'waiting_external' },
      { version: 3, status: 'completed' },
    ])
    expect(await statesOf(client.run('Buy milk'))).toEqual(['1 running', '2 waiting_external', '3 completed'])
    expect(slept).toEqual([2500, 3750, 1000])
  })

  it.each(['lease_lost', 'task_ended'])('U59 reads a task that answers a step with %s', async (code) => {
    const canceled = () => json(task(2, 'canceled'))
    const answers = [json(task(1, 'running', { drive: 'manual' })), problem(409, code), canceled(), canceled()]
    const { client, sent } = scriptedClient(answers)
    expect(await statesOf(client.run('Buy milk'))).toEqual(['1 running', '2 canceled'])
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'GET'])
  })

  it('U59 follows a background task by its events', async () => {
    const states = [
      { version: 1, status: 'queued' },
      { version: 2, status: 'running' },
      { version: 3, status: 'completed' },
    ]
    const stream = () => streamOf([eventText(1), eventText(2), END_TEXT])
    const { client, asked } = serviceOf(states, { drive: 'background', stream })
    const seen = await statesOf(client.run({ goal: 'Buy milk', drive: 'background' }))
    expect(seen).toEqual(['1 queued', '2 running', '3 completed'])
    expect(asked.filter((one) => one === 'GET /events')).toHaveLength(1)
    expect(asked).not.toContain('POST /step')
  })
})

describe('U59 wait', () => {
  it.each(['completed', 'failed', 'canceled', 'input_required', 'paused'])(
    'U59 gives a task that is %s',
    async (status) => {
      const states = [
        { version: 1, status: 'running' },
        { version: 2, status: 'waiting_external' },
        { version: 3, status },
      ]
      const { client } = serviceOf(states, { drive: 'background' })
      expect(await client.wait('task_1')).toMatchObject({ version: 3, status })
    },
  )

  it('U59 looks at the task more and more rarely when there are no events', async () => {
    const still = Array.from({ length: 8 }, () => ({ version: 1, status: 'running' }))
    const { client, slept } = serviceOf([...still, { version: 2, status: 'completed' }], { drive: 'background' })
    await client.wait('task_1')
    const waits = slept.filter((ms) => ms !== 30_000)
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(new Set(waits)).toEqual(new Set([2250, 3375, 5062.5, 7593.75, 10_000]))
  })

  it('U59 until something else is true goes on past questions, and ends with the task', async () => {
    const states = [
      { version: 1, status: 'input_required' },
      { version: 2, status: 'running', step_count: 3 },
      { version: 3, status: 'completed', step_count: 4 },
    ]
    const stepped = serviceOf(states, { drive: 'background' })
    expect(await stepped.client.wait('task_1', { until: (one) => one.step_count === 3 })).toMatchObject({ version: 2 })
    const never = serviceOf(states, { drive: 'background' })
    expect(await never.client.wait('task_1', { until: () => false })).toMatchObject({ version: 3 })
  })

  it('U59 gives up when its time is over', async () => {
    const { client } = serviceOf([{ version: 1, status: 'running' }], { drive: 'background' })
    const error = await failureOf(client.wait('task_1', { timeoutSeconds: 20 }))
    expect(error).toMatchObject({ status: 0, code: 'timeout', detail: 'the task was not as wanted within 20 seconds' })
  })

  it('U59 ends with the reason of a caller who aborts', async () => {
    const controller = new AbortController()
    const { client } = serviceOf([{ version: 1, status: 'running' }], {
      drive: 'background',
      stream: () => (controller.abort(new Error('enough')), problem(404, 'task_not_found')),
    })
    await expect(client.wait('task_1', { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('U59 fails as the task does when it is looked at', async () => {
    const { client } = scriptedClient([
      json(task(1, 'running')),
      problem(404, 'task_not_found'),
      problem(404, 'task_not_found'),
    ])
    expect(await failureOf(client.wait('task_1'))).toMatchObject({ status: 404, code: 'task_not_found' })
  })
})
