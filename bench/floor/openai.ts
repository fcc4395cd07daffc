/** Floor (e): as (c), with the openai package; and (s), a whole slice of it in one request: k effects in 1 + k calls of the object. */
import { Hono } from 'hono'
import OpenAI from 'openai'
import { CHAT, METADATA, rowsOf, type Env } from './floor.ts'

export { RowObject } from './row-object.ts'

/** One for all calls: making it costs about as much as half of one. */
let client: OpenAI | null = null

async function ask(env: Env): Promise<string> {
  client ??= new OpenAI({ apiKey: 'none', baseURL: env.MODEL_URL, maxRetries: 0, timeout: 60_000, logLevel: 'off' })
  const completion = await client.chat.completions.create(CHAT, { headers: METADATA })
  const said: unknown = JSON.parse(completion.choices[0]?.message.content ?? 'null')
  return JSON.stringify(said)
}

const app = new Hono<{ Bindings: Env }>()
app.post('/step/:id', async (c) => {
  const rows = rowsOf(c.env, c.req.param('id'))
  const seq = await rows.begin(await c.req.text())
  const said = await ask(c.env)
  return c.json({ seq: await rows.commit(seq, said), said })
})
/** Each effect is closed and the next one begun by one call, as a store that may be trusted has to. */
app.post('/slice/:id', async (c) => {
  const { models, tools } = await c.req.json<{ models: number; tools: number }>()
  const [rows, workspace] = [rowsOf(c.env, c.req.param('id')), rowsOf(c.env, 'workspace')]
  let seq = await rows.begin('slice')
  for (let effect = 0; effect < models + tools; effect++) {
    const said = effect < models ? await ask(c.env) : String(await workspace.begin('tool'))
    seq = await rows.advance(seq, said)
  }
  return c.json({ seq })
})

export default app
