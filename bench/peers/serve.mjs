/**
 * The HTTP face of a peer that runs in Node: `POST /tasks` makes a task and plans it – with `whole` it works it off in the same
 * request – and `POST /tasks/:id/step` does one op. Plain `node:http`, the cheapest there is. Its port is told on descriptor 3.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createServer } from 'node:http'

/** `peer` has `create(id, model)`, `step(id)` and `work(id)`; each answers with `{ops, done}`. */
export function serve(peer) {
  const server = createServer((request, response) => {
    respond(peer, request, response).catch((error) => {
      console.error(error)
      response.writeHead(500).end()
    })
  })
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1', () =>
    writeSync(3, `${JSON.stringify({ event: 'listen', port: server.address().port })}\n`),
  )
}

async function respond(peer, request, response) {
  const parts = []
  for await (const part of request) parts.push(part)
  const asked = parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString())
  const id = /^\/tasks\/([^/]+)\/step$/.exec(request.url)?.[1]
  const body = JSON.stringify(id === undefined ? await created(peer, asked) : { id, ...(await peer.step(id)) })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

async function created(peer, { model, whole }) {
  const id = randomUUID()
  const planned = await peer.create(id, model)
  return { id, ...(whole ? await peer.work(id) : planned) }
}
