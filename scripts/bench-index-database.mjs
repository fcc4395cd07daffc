/**
 * `npm run bench:index-database [-- --tasks 1000,16000,100000,1000000 --rounds 9]`: what a page of a list or of a search costs in an index database
 * where a tenant has more tasks, and what a change writes. Rounds are interleaved; a round asks for each page several times. Prints JSON
 * lines; exit 1 when a page is not flat.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { median } from '../bench/load.ts'
import { makePlace } from '../bench/machine.ts'
import { ROOT } from './lib/node.mjs'

const FLAT = 1.2
const AT_ONCE = 500
const PAGES = {
  'no filter': [{}, 20],
  'status=running': [{ status: 'running' }, 20],
  'status=completed': [{ status: 'completed' }, 20],
  'mode=session': [{ mode: 'session' }, 20],
  'outcome=done': [{ outcome: 'done' }, 20],
  'metadata.team=t7': [{ metadata: { team: 't7' } }, 20],
  'q: a frequent word': [{ q: 'shanghai' }, 20],
  'q: one task': [{ q: 'no 777' }, 20],
  'q: nothing': [{ q: 'zanzibar' }, 20],
  'status=failed, none': [{ status: 'failed' }, 20],
}

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000,16000,100000,1000000' },
    rounds: { type: 'string', default: '9' },
  },
})
const sizes = values.tasks.split(',').map(Number)
const tenantOf = (size) => `t${size}`
const rounded = (value) => Number(value.toFixed(2))

const place = makePlace(console.error)
mkdirSync(place, { recursive: true })

async function start() {
  const { Miniflare, convertV4MiniflareOptions } = await import('miniflare')
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'bench/index-database/worker.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    write: false,
  })
  const worker = {
    name: 'bench',
    modules: true,
    compatibilityDate: '2026-10-01',
    script: outputFiles[0].text,
    d1Databases: { INDEX: 'index' },
  }
  const options = {
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: place,
    host: '127.0.0.1',
    port: 0,
  }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...options, workers: [worker] }))
  const ask = async (asked) => {
    const answer = await miniflare.dispatchFetch('http://bench/', { method: 'POST', body: JSON.stringify(asked) })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  return { ask, stop: () => miniflare.dispose() }
}

async function fill(ask) {
  let before = 0
  for (const size of sizes) {
    const begun = performance.now()
    let [written, bytes] = [0, 0]
    for (let from = 0; from < size; from += AT_ONCE) {
      const told = await ask({ kind: 'fill', tenant: tenantOf(size), from, to: Math.min(size, from + AT_ONCE) })
      written += told.rows_written
      bytes = told.size
    }
    const ms = rounded((performance.now() - begun) / size)
    console.log(
      JSON.stringify({
        what: 'an entry',
        tasks: size,
        ms,
        rows_written: rounded(written / size),
        bytes: Math.round((bytes - before) / size),
      }),
    )
    before = bytes
  }
}

async function measure(ask) {
  const samples = new Map()
  const read = new Map()
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [what, [filter, times]] of Object.entries(PAGES))
      for (let turn = 0; turn < sizes.length; turn++) {
        const size = sizes[(round + turn) % sizes.length]
        const told = await ask({ kind: 'find', tenant: tenantOf(size), filter, times })
        const key = `${what}|${size}`
        samples.set(key, [...(samples.get(key) ?? []), told.wall_ms])
        read.set(key, told.rows_read)
      }
  let flat = true
  for (const what of Object.keys(PAGES)) {
    const least = median(samples.get(`${what}|${sizes[0]}`))
    for (const size of sizes) {
      const all = samples.get(`${what}|${size}`)
      const [ms, low, high] = [median(all), Math.min(...all), Math.max(...all)].map(rounded)
      flat &&= ms <= least * FLAT
      console.log(
        JSON.stringify({
          what,
          tasks: size,
          ms,
          low,
          high,
          times: rounded(ms / least),
          rows_read: read.get(`${what}|${size}`),
        }),
      )
    }
  }
  return flat
}

const { ask, stop } = await start()
try {
  await fill(ask)
  const changed = await ask({ kind: 'change', tenant: tenantOf(sizes[0]), from: 1, to: 101 })
  console.log(
    JSON.stringify({
      what: 'a change of status',
      rows_written: changed.rows_written / 100,
      rows_read: changed.rows_read / 100,
    }),
  )
  process.exitCode = (await measure(ask)) ? 0 : 1
} finally {
  await stop()
  rmSync(place, { recursive: true, force: true })
}
