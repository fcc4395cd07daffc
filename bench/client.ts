/** A keep-alive HTTP/1.1 connection with one request under way, on a bare socket: the least a load generator can cost. */
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  body: string
}
export interface Connection {
  post(path: string, body: string): Promise<Answer>
  get(path: string): Promise<Answer>
  close(): void
}

const HEAD_END = '\r\n\r\n'

/** `headers` go out with every request. */
export async function openConnection(port: number, headers: Record<string, string> = {}): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  const shared = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const fixed = ` HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${shared.join('')}`
  const send = exchanger(socket)
  return {
    post: (path, body) =>
      send(
        `POST ${path}${fixed}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
      ),
    get: (path) => send(`GET ${path}${fixed}\r\n`),
    close: () => void socket.destroy(),
  }
}

function exchanger(socket: Socket): (request: string) => Promise<Answer> {
  let received = ''
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null
  // One byte is one character, so that lengths in bytes hold.
  socket.setEncoding('latin1')
  socket.on('data', (part) => {
    received += String(part)
    const answer = wholeAnswer(received)
    if (answer === null) return
    received = ''
    waiting?.resolve(answer)
  })
  const lost = (error?: Error) => waiting?.reject(error ?? new Error('the connection was closed'))
  socket.on('error', lost)
  socket.on('close', () => lost())
  return (request) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      if (socket.destroyed) return lost()
      socket.write(request)
    })
}

/** null while something is missing. With one request under way nothing stands behind the answer. */
export function wholeAnswer(received: string): Answer | null {
  const head_end = received.indexOf(HEAD_END)
  if (head_end < 0) return null
  const status = Number(received.slice(9, 12))
  const head = received.slice(0, head_end).toLowerCase()
  const body = received.slice(head_end + HEAD_END.length)
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  if (length !== undefined) return body.length < Number(length) ? null : { status, body: utf8(body) }
  if (head.includes('\r\ntransfer-encoding: chunked')) {
    // The JSON inside has no line ends of its own.
    return body.endsWith(`0${HEAD_END}`) ? { status, body: utf8(unchunked(body)) } : null
  }
  return { status, body: '' }
}

const utf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8')

function unchunked(body: string): string {
  const parts = []
  for (let at = 0; ;) {
    const line_end = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.slice(at, line_end), 16)
    if (!(length > 0)) return parts.join('')
    parts.push(body.slice(line_end + 2, line_end + 2 + length))
    at = line_end + 2 + length + 2
  }
}
