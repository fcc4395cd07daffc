/**
 * The compute Worker of `npm start`: a workerd process of its own, which the API reaches through here. It does one job at a time. A job that
 * takes longer than its caller waits can only be ended with its process, so the process is killed, and the next job starts another one:
 * the job that ran is the guilty one, and those behind it go on. A process that nobody needs is not started at all.
 */
import { randomBytes } from 'node:crypto'
import { createServer, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { STATUS, WALL_HEADER } from '../../src/compute/wire.ts'
import { workerdProcess } from './compute-workerd.mjs'
import { COMPUTE_DIST } from './dist.mjs'
import { DOOR_HEADER, isSecret } from './door.mjs'

/** The default time limit, which is also the maximum. */
const WALL_MS_MAX = 60_000

/** Listens on the loopback; `binding` is what Miniflare binds to the API, its requests carry a secret that nobody else knows. */
export async function startCompute(config = join(COMPUTE_DIST, 'config.capnp')) {
  const secret = randomBytes(32).toString('base64url')
  const workerd = workerdProcess(config)
  let last = Promise.resolve()
  const server = createServer((asked, answer) => {
    if (!isSecret(asked.headers[DOOR_HEADER], secret)) return void answer.writeHead(403).end()
    // Each job waits for the one before it; a job whose caller has hung up is not started.
    last = last
      .then(() => (answer.destroyed ? undefined : serve(workerd, asked, answer)))
      .catch((error) => {
        // A rejection that stayed in the chain would refuse every later job, and end the whole service as an unhandled one.
        console.error(
          `compute: a job could not be passed on: ${error instanceof Error ? error.message : String(error)}`,
        )
        refuse(asked, answer, STATUS.restarted)
      })
  })
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  server.unref()
  const stop = () => {
    workerd.stop()
    server.close()
    server.closeAllConnections()
  }
  const injectRequestHeaders = [{ name: DOOR_HEADER, value: secret }]
  return {
    binding: { external: { address: `127.0.0.1:${server.address().port}`, http: { injectRequestHeaders } } },
    stop,
  }
}

/** Passes one job on, and ends with the job or its process. */
async function serve(workerd, asked, answer) {
  const given = Number(asked.headers[WALL_HEADER])
  const wall_ms = given > 0 && given < WALL_MS_MAX ? given : WALL_MS_MAX
  // The start of a process does not count as time of the job.
  const at = await workerd.running()
  if (answer.destroyed) return
  if (at === null) return refuse(asked, answer, STATUS.restarted)
  await new Promise((done) => {
    let status = STATUS.restarted
    const passed = httpRequest({
      host: '127.0.0.1',
      port: at.port,
      method: asked.method,
      path: asked.url,
      headers: { [DOOR_HEADER]: at.secret },
      agent: false,
    })
    const kill = () => {
      at.kill()
      passed.destroy()
    }
    const timer = setTimeout(() => {
      status = STATUS.stopped
      console.error(`compute: stopped a job after ${Math.round(wall_ms)} ms; the next one starts another process`)
      kill()
    }, wall_ms)
    // Its caller no longer waits, so its further work is useless.
    const hungUp = () => kill()
    answer.once('close', hungUp)
    const end = () => {
      clearTimeout(timer)
      answer.off('close', hungUp)
      done()
    }
    passed.on('error', () => {
      refuse(asked, answer, status)
      end()
    })
    passed.once('response', (response) => {
      answer.writeHead(response.statusCode)
      response.pipe(answer)
      response.once('error', () => answer.destroy())
      response.once('close', end)
    })
    asked.on('error', kill)
    asked.pipe(passed)
  })
}

/** The rest of the request is read and dropped, so that the caller gets the answer. */
function refuse(asked, answer, status) {
  asked.unpipe()
  asked.resume()
  if (answer.headersSent || answer.destroyed) answer.destroy()
  else answer.writeHead(status).end()
}
