/** The service as its clients see it: an address that disappears with each kill and returns with the next process. */
import { Agent, request } from 'node:http'
import { startWorkerd } from '../support/workerd.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}
export interface Wire {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}
export interface Service {
  /** Resolves once a process listens. */
  up(): Promise<void>
  /** null: the connection was lost before there was a whole answer. */
  send(wire: Wire): Promise<Reply | null>
  /** Passes on a live answer until it breaks or `take` ends it. */
  stream(path: string, headers: Record<string, string>, take: (part: string) => boolean): Promise<void>
  /** kill -9, wherever the process is with its start, and at once the next one on the same storage. */
  replace(): Promise<void>
  stop(): Promise<void>
  printed(): string
}

/** No request takes nearly as long, so a request without an answer breaks a promise. */
const ANSWER_WITHIN_MS = 60_000
const PRINTED_CHARS_MAX = 20_000

export function openService(config: string): Service {
  let printed = ''
  const print = (text: string) => void (printed = (printed + text).slice(-PRINTED_CHARS_MAX))
  let agent = new Agent({ keepAlive: true })
  let running = startWorkerd(config, print)
  let replacing = Promise.resolve()
  const port = async (): Promise<number> => {
    for (;;) {
      await replacing
      const tried = running
      const found = await tried.port
      if (found !== null && tried === running) return found
      await replacing
      if (tried === running) throw new Error(`the runtime ended by itself:\n${printed}`)
    }
  }
  const end = async () => {
    running.kill()
    agent.destroy()
    // The next one may not touch the storage before this one is gone.
    await running.ended
  }
  const replace = async () => {
    await end()
    agent = new Agent({ keepAlive: true })
    running = startWorkerd(config, print)
  }
  return {
    up: async () => void (await port()),
    send: async (wire) => exchange(await port(), agent, wire),
    stream: async (path, headers, take) => streamed(await port(), { path, headers }, take),
    replace: () => (replacing = replace()),
    stop: end,
    printed: () => printed,
  }
}

/** The request has its own connection, because it is broken off in the middle. */
function streamed(port: number, { path, headers }: Pick<Wire, 'path' | 'headers'>, take: (part: string) => boolean) {
  return new Promise<void>((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        if (!take(answer.statusCode === 200 ? String(part) : '')) sent.destroy()
      })
      answer.on('error', () => resolve())
      answer.on('close', () => resolve())
    })
    sent.on('error', () => resolve())
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy())
    sent.end()
  })
}

function exchange(port: number, agent: Agent, { method, path, headers, body }: Wire): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      const parts: string[] = []
      answer.setEncoding('utf8')
      answer.on('data', (part) => parts.push(String(part)))
      answer.on('error', () => resolve(null))
      answer.on('close', () => {
        const whole = answer.complete && answer.statusCode !== undefined
        resolve(whole ? { status: answer.statusCode ?? 0, headers: answer.headers, text: parts.join('') } : null)
      })
    })
    sent.setTimeout(ANSWER_WITHIN_MS, () => reject(new Error(`${method} ${path}: no answer in ${ANSWER_WITHIN_MS} ms`)))
    sent.on('error', () => resolve(null))
    sent.end(body ?? undefined)
  })
}
