/** Sends bytes to a port and reads the HTTP answers, so that no client library changes a broken request. */
import { connect } from 'node:net'

const LF2 = Buffer.from('\r\n\r\n')

/**
 * Sends `parts` one after the other and resolves with the answers `[{ status, headers, body }]`, all that were expected or as many as came
 * before the service closed or `timeout_ms` passed. `expected` are the request methods, because the answer to HEAD has no body.
 */
export function exchange(target, { parts, expected, half_close = false }, timeout_ms) {
  return new Promise((resolve) => {
    const answers = []
    let buffered = Buffer.alloc(0)
    const socket = connect(target)
    socket.setNoDelay(true)
    const timer = setTimeout(() => finish('timeout'), timeout_ms)
    const finish = (end) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers, end })
    }
    const read = (ended) => {
      for (;;) {
        const parsed = parseAnswer(buffered, expected[answers.length], ended)
        if (parsed === null) return
        buffered = buffered.subarray(parsed.length)
        // An interim answer such as 100 Continue is not the answer.
        if (parsed.status >= 200) answers.push(parsed)
        if (answers.length >= expected.length) return finish('answered')
      }
    }
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk])
      read(false)
    })
    socket.on('end', () => {
      read(true)
      finish('closed')
    })
    // The service may answer and close while a huge body is still on its way; what was read counts.
    socket.on('error', () => {
      read(true)
      finish('reset')
    })
    socket.on('connect', () => {
      for (const part of parts) socket.write(part)
      if (half_close) socket.end()
    })
  })
}

/** The first answer in the bytes, or null while it is not complete. */
function parseAnswer(bytes, method, ended) {
  const headEnd = bytes.indexOf(LF2)
  if (headEnd < 0) return null
  const [statusLine, ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const start = headEnd + LF2.length
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD')
    return { status, headers, body: '', length: start }
  // A live stream ends with its task: its head is the answer.
  if (headers['x-accel-buffering'] === 'no') return { status, headers, body: '', length: bytes.length }
  const body = parseBody(bytes.subarray(start), headers, ended)
  return body === null ? null : { status, headers, body: body.content.toString('utf8'), length: start + body.length }
}

function parseBody(bytes, headers, ended) {
  if (headers['transfer-encoding'] === 'chunked') return parseChunks(bytes)
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (Number.isNaN(length)) return ended ? { content: bytes, length: bytes.length } : null
  return bytes.length < length ? null : { content: bytes.subarray(0, length), length }
}

function parseChunks(bytes) {
  const contents = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const start = lineEnd + 2
    if (bytes.length < start + size + 2) return null
    if (size === 0) return { content: Buffer.concat(contents), length: start + 2 }
    contents.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}
