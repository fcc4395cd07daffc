/** The client for Python against the built service. Needs python3 from 3.9 on. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { TaskEntry } from '../../src/core/terms/view.ts'
import { NO_PYTHON, PYTHON } from '../support/runner.ts'
import { call, callTask, newPlace, type Place } from './support.ts'

const ASKS = 'book the dentist on Friday at 3pm'
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const LONG = { timeout: 90_000 }
const ENVIRONMENT = { ...process.env, PYTHONPATH: 'clients/python', PYTHONDONTWRITEBYTECODE: '1' }

const PRELUDE = `
import json, sys
from loop_agent import *
agent = LoopAgent(sys.argv[1])
def code(call):
    try:
        call()
    except LoopAgentError as error:
        return [error.status, error.code]
`

/** Runs a script whose \`show(...)\` is its result. Rejects with its traceback unless it ends with 0. */
async function python(service: Pick<Service, 'url'>, script: string, ...args: string[]): Promise<unknown> {
  const code = `${PRELUDE}show = lambda value: print(json.dumps(value))\n${script}`
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', code, service.url, ...args], {
    env: ENVIRONMENT,
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}

describe.skipIf(NO_PYTHON)('the client for Python', LONG, () => {
  let place: Place
  let service: Service
  beforeAll(async () => {
    place = newPlace()
    service = await place.start({ WEBHOOK_SECRET: `dev:${SECRET}` })
  })
  afterAll(() => place.leave())

  it('U61 the five lines of its README work off a goal as they stand there', async () => {
    const readme = readFileSync('clients/python/README.md', 'utf8')
    const [, marked = ''] = readme.split(/<!-- python:(?:start|end) -->/)
    const lines = marked.replaceAll(/^```.*$/gm, '').trim()
    expect(lines.split('\n')).toHaveLength(5)
    const script = lines.replaceAll(/127\.0\.0\.1:8787/g, new URL(service.url).host)
    expect(script).not.toBe(lines)
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', script], { env: ENVIRONMENT, timeout: 60_000 })
    const { data } = z.object({ data: z.array(TaskEntry) }).parse(await call(service, 'GET', '/tasks?limit=1'))
    expect(data).toMatchObject([{ status: 'completed' }])
    expect(stdout).toMatch(/^running \d+ of \d+$/m)
    expect(stdout).toMatch(/^input_required \d+ of \d+$/m)
    expect(stdout).toMatch(/^completed \d+ of \d+$/m)
    expect(stdout.trimEnd().endsWith(data[0]?.result?.text ?? '?')).toBe(true)
  })

  it('U61 its verbs work: a goal is run to its end, and read', async () => {
    const script = `
shown = list(agent.run("buy milk and buy bread", title="from Python"))
task = shown[-1]
show({
    "statuses": sorted({one["status"] for one in shown}),
    "title": task["title"],
    "waited": agent.wait(task)["status"],
    "listed": next(agent.list(q="milk and buy", limit=1))["id"] == task["id"],
    "rows": [row["seq"] for row in agent.journal(task, limit=2)],
    "stored": len(list(agent.export(task))),
    "replay": sorted(agent.replay(task)),
    "past": len(list(agent.past_events(task, limit=3))),
    "seqs": [event["seq"] for event in agent.events(task)],
    "later": [event["seq"] for event in agent.events(task, after=3)],
})`
    const shown = z
      .looseObject({ rows: z.array(z.int()), stored: z.int(), seqs: z.array(z.int()), later: z.array(z.int()) })
      .parse(await python(service, script))
    expect(shown).toMatchObject({ statuses: ['completed', 'running'], title: 'from Python', waited: 'completed' })
    expect(shown).toMatchObject({ listed: true, stored: shown.rows.length, past: shown.seqs.length })
    expect(shown.rows).toEqual(shown.rows.map((_, index) => index + 1))
    expect(shown.rows.length).toBeGreaterThan(4)
    expect(shown.seqs).toEqual(shown.seqs.map((_, index) => index + 1))
    expect(shown.later).toEqual(shown.seqs.slice(3))
    expect(shown.later.length).toBeGreaterThan(3)
  })

  it('U61 a question is answered once, and by its name', async () => {
    const script = `
task = agent.create("book the hairdresser on Monday at 10am", rounds=50)
late = task["pending"]["request_id"]
done = agent.answer(task, "45 minutes", rounds=50)
show({
    "asked": task["status"], "done": done["status"],
    "settled": code(lambda: agent.answer(task, "30 minutes", request_id=late)),
    "nothing": code(lambda: agent.answer(task["id"], "30 minutes")),
})`
    expect(await python(service, script)).toEqual({
      asked: 'input_required',
      done: 'completed',
      settled: [409, 'task_ended'],
      nothing: [0, 'nothing_asked'],
    })
  })

  it('U61 the files of a task are sent, put, read and deleted', async () => {
    const script = `
csv = "date,amount\\n2026-01-01,10\\n2026-02-01,32\\n"
task = agent.create("Analyse the sales trend", mode="autonomous", settings={"dataset": "sales.csv"}, hold=True, files={"sales.csv": csv})
put = agent.put_file(task, "notes.md", "# ü\\n".encode())
names = sorted(file["name"] for file in agent.list_files(task, limit=1))
content = agent.get_file(task, "sales.csv").decode() == csv and agent.get_file(task, "notes.md").decode() == "# ü\\n"
agent.delete_file(task, "notes.md")
missing = code(lambda: agent.get_file(task, "notes.md"))
agent.resume(task)
show({"held": task["stop_reason"], "put": [put["name"], put["size"]], "names": names, "content": content, "missing": missing,
      "ended": list(agent.steps(task, rounds=20))[-1]["status"]})`
    expect(await python(service, script)).toEqual({
      held: 'held',
      put: ['notes.md', 5],
      names: ['notes.md', 'sales.csv'],
      content: true,
      missing: [404, 'file_not_found'],
      ended: 'completed',
    })
  })

  it('U61 a task is changed, forked, made again and deleted', async () => {
    const script = `
task = agent.create("buy milk and buy bread", rounds=0)
named = agent.change(task, title="first", version=task["version"])
stale = code(lambda: agent.change(task, title="second", version=task["version"]))
more = agent.budget(named, steps=5)
planned = agent.change_plan(more, [{"title": "buy tea"}])
paused, resumed = agent.pause(planned), agent.resume(planned)
again = code(lambda: agent.retry(task))
fork = agent.fork(task, at=1)
canceled = agent.cancel(task)
retried = agent.retry(task)
agent.delete(task)
show({
    "named": named["title"], "stale": stale, "more": more["budget"]["max"] - task["budget"]["max"],
    "items": [item["title"] for item in planned["plan"]["items"]], "paused": [paused["status"], resumed["status"]],
    "again": again, "fork": fork["forked_from"] == {"id": task["id"], "at": 1}, "canceled": canceled["status"],
    "retried": retried["goal"], "gone": code(lambda: agent.get(task)),
})`
    expect(await python(service, script)).toEqual({
      named: 'first',
      stale: [412, 'precondition_failed'],
      more: 5,
      items: ['buy tea'],
      paused: ['paused', 'running'],
      again: [409, 'task_not_ended'],
      fork: true,
      canceled: 'canceled',
      retried: 'buy milk and buy bread',
      gone: [404, 'task_not_found'],
    })
  })

  it('U61 schedules, secrets, tools, models and commands are reached', async () => {
    const script = `
agent.schedules.put("daily", cron="0 9 * * *", task={"goal": "buy milk"})
agent.schedules.pause("daily"); resumed = agent.schedules.resume("daily")
ran = agent.schedules.run("daily")
names = [one["name"] for one in agent.schedules.list()]
runs = [one["seq"] for one in agent.schedules.runs("daily")]
shown = agent.schedules.get("daily")["name"]
agent.schedules.delete("daily")
secret = agent.secrets.put("orders", "a-value-of-some-length", ["api.example.com"])
secrets = [one["name"] for one in agent.secrets.list()]
read = agent.secrets.get("orders")
agent.secrets.delete("orders")
tool = {"http": {"url": "http://127.0.0.1:9/orders/{id}"}}
offered = agent.tools.preview([tool])
show({
    "schedule": [names, runs, shown, resumed["paused"], ran["trigger"]], "gone": code(lambda: agent.schedules.get("daily")),
    "secret": [secret["name"], secrets, read["hosts"], "value" in read], "gone_too": code(lambda: agent.secrets.get("orders")),
    "tools": [len(agent.tools.list()["data"]) > 0, [one["name"] for one in offered["data"]], sorted(agent.tools.call([tool], offered["data"][0]["name"], {"id": "7"}))],
    "dry": agent.dry_run("buy milk")["id"], "models": sorted(agent.models()), "health": agent.health()["status"],
    "command": "text" in agent.command("/help") or sorted(agent.command("/help")), "other": sorted(agent.request("GET", "/models")),
})`
    const shown = z.looseObject({ tools: z.tuple([z.literal(true), z.array(z.string()), z.array(z.string())]) })
    const answered = shown.parse(await python(service, script))
    expect(answered).toMatchObject({
      schedule: [['daily'], [1], 'daily', false, 'request'],
      gone: [404, 'schedule_not_found'],
      secret: ['orders', ['orders'], ['api.example.com'], false],
      gone_too: [404, 'secret_not_found'],
      dry: null,
      models: ['any_name', 'data'],
      other: ['any_name', 'data'],
      health: 'ok',
    })
    expect(answered.tools[1]).toHaveLength(1)
    expect(answered.tools[2]).toEqual(['code', 'ok', 'text'])
  })

  it('U61 a real callback is verified, and one that was changed is refused', async () => {
    const received: string[] = []
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(JSON.stringify({ headers: request.headers, body }))
        response.end('taken', () => receiver.emit('taken'))
      })
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void receiver.close())
    // A server that listens on a port has an address of this kind.
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const reported = once(receiver, 'taken')
    await callTask(service, 'POST', '/tasks', { goal: 'buy milk 🥛', rounds: 50, callback_url: hook })
    await reported
    const script = `
tested = agent.webhooks.test(sys.argv[2])
show([tested["ok"], tested["body"], [one["id"] for one in agent.deliveries.list(status="failed")]])`
    const verify = `
def check(*arguments):
    try:
        return verify_webhook(*arguments)["type"]
    except WebhookError as error:
        return error.check
message = json.loads(sys.argv[2])
headers, body, secret = message["headers"], message["body"], sys.argv[3]
other = "whsec_" + "A" * 44
sent = int(headers["webhook-timestamp"])
show([check(headers, body, secret), check(headers, body.encode(), [other, secret]), check(headers, body + " ", secret),
      check(headers, body, other), check(headers, body, secret, sent + 301), check({}, body, secret)])`
    expect(await python(service, script, hook)).toEqual([true, 'taken', []])
    const checked = await Promise.all(received.map((message) => python(service, verify, message, SECRET)))
    const refused = ['signature', 'signature', 'timestamp', 'id']
    expect(checked).toEqual([
      ['task.completed', 'task.completed', ...refused],
      ['webhook.test', 'webhook.test', ...refused],
    ])
  })

  it('U61 a refusal is an error with its code, and a key is taken once', async () => {
    const script = `
def error_of(call):
    try:
        call()
    except LoopAgentError as error:
        return error
wrong = error_of(lambda: agent.create("x", max_step=5, idempotency_key="mine"))
chinese = error_of(lambda: LoopAgent(sys.argv[1], language="zh").get("task_0123456789abcdef"))
first, again = agent.create("buy milk", rounds=0, idempotency_key="one"), agent.create("buy milk", rounds=0, idempotency_key="one")
show({
    "wrong": [wrong.status, wrong.code, wrong.problem["errors"][0]["pointer"], bool(wrong.request_id), wrong.key],
    "key": code(lambda: LoopAgent(sys.argv[1], "sk-other").get("task_0123456789abcdef")),
    "chinese": [chinese.code, chinese.detail.isascii()],
    "same": first["id"] == again["id"],
    "reused": code(lambda: agent.create("buy tea", rounds=0, idempotency_key="one")),
})`
    expect(await python(service, script)).toEqual({
      wrong: [422, 'validation_failed', '/max_step', true, 'mine'],
      key: [401, 'unauthorized'],
      chinese: ['task_not_found', false],
      same: true,
      reused: [422, 'idempotency_key_reused'],
    })
  })
})

describe.skipIf(NO_PYTHON)('the client for Python, while the service is killed', LONG, () => {
  let place: Place
  afterEach(() => place.leave())

  it('U61 events go on behind the last one after a kill -9, and each comes once', async () => {
    place = newPlace()
    const first = await place.start()
    const { id } = await callTask(first, 'POST', '/tasks', { goal: ASKS, drive: 'background' })
    // The client waits for a line in place of a time.
    const script = `${PRELUDE}
agent = LoopAgent(sys.argv[1], sleep=lambda seconds: sys.stdin.readline())
events = agent.events(sys.argv[2])
while True:
    try:
        event = next(events)
    except StopIteration as stop:
        print(json.dumps({"seq": 0, "type": stop.value}), flush=True)
        break
    print(json.dumps(event), flush=True)
`
    const child = spawn(PYTHON, ['-c', script, first.url, id], { env: ENVIRONMENT })
    const ended = once(child, 'close')
    let log = ''
    child.stderr.on('data', (chunk) => (log += String(chunk)))
    const Line = z.object({ seq: z.int(), type: z.string() })
    const seen: z.infer<typeof Line>[] = []
    let before = 0
    for await (const printed of createInterface(child.stdout)) {
      const line = Line.parse(JSON.parse(printed))
      seen.push(line)
      if (line.type !== 'clarification_requested') continue
      before = seen.length
      await first.kill()
      const second = await place.start({ PORT: new URL(first.url).port })
      await call(second, 'POST', `/tasks/${id}/input`, { input: '45 minutes', rounds: 0 })
      child.stdin.end('go on\n')
    }
    expect([await ended, log]).toEqual([[0, null], ''])
    expect(before).toBeGreaterThan(2)
    expect(seen.length).toBeGreaterThan(before + 2)
    expect(seen.map(({ seq }) => seq)).toEqual([...seen.slice(1).map((_, index) => index + 1), 0])
    expect(seen.at(-1)?.type).toBe('completed')
  })
})
