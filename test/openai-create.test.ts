/** A bundle has no more of the openai package than the two calls that are made of it, and both work there. */
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { collectCompletion } from '../src/models/wires/chat/collect.ts'
import { openaiCreate } from '../scripts/lib/openai-create.mjs'
import type { Wire } from '../src/models/wires/wire.ts'

const WIRES = { '/v1/chat/completions': 'chat', '/v1/responses': 'responses' }

async function bundled(wire: string) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`src/models/wires/${wire}/wire.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    metafile: true,
    plugins: [openaiCreate],
  })
  const [{ text } = { text: '' }] = outputFiles
  const loaded: Record<string, Wire> = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  const [made] = Object.values(loaded)
  if (made === undefined) throw new Error(`no wire in ${wire}`)
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: parts }) => Object.entries(parts))
  return { made, sizes: new Map(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput])) }
}

it.each(Object.entries(WIRES))(
  'the bundle asks %s, without what streams, runs tools or reads answers',
  async (path, name) => {
    const { made, sizes } = await bundled(name)
    const asked: string[] = []
    const fetch = async (url: RequestInfo | URL) => {
      asked.push(new URL(String(url)).pathname)
      return Response.json({ is: 'the answer' })
    }
    const endpoint = {
      name: 'default',
      wire: 'chat' as const,
      base_url: 'http://model.test/v1',
      api_key: 'k',
      model: 'm',
      binding: null,
      fetch,
    }
    const signal = new AbortController().signal
    const stream = { collect: collectCompletion, bytes_max: 1, chars_max: 1, silence_ms: 1, onWords: () => {} }
    const answer = await made.connect(endpoint)({ model: 'm' }, { headers: {}, signal, timeout: 5_000, stream })
    expect(asked).toEqual([path])
    expect(answer.kind === 'answered' && new TextDecoder().decode(answer.body)).toBe('{"is":"the answer"}')
    const left = [...sizes].filter(([input, bytes]) => /openai\/(lib|resources)\//.test(input) && bytes > 500)
    expect(left.map(([input]) => input.replace(/.*openai\//, '')).toSorted()).toEqual([
      'resources/chat/completions/completions.mjs',
      'resources/responses/responses.mjs',
    ])
  },
)
