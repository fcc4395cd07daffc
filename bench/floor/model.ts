/** Floor (c): two calls of an object around one call of the model, which is a plain fetch of the Worker. */
import { Hono } from 'hono'
import { CHAT, METADATA, rowsOf, type Env } from './floor.ts'

export { RowObject } from './row-object.ts'

interface Completion {
  choices: { message: { content: string } }[]
}
const app = new Hono<{ Bindings: Env }>()
app.post('/step/:id', async (c) => {
  const rows = rowsOf(c.env, c.req.param('id'))
  const seq = await rows.begin(await c.req.text())
  const response = await fetch(`${c.env.MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...METADATA },
    body: JSON.stringify(CHAT),
  })
  const { choices } = await response.json<Completion>()
  const said: unknown = JSON.parse(choices[0]?.message.content ?? 'null')
  return c.json({ seq: await rows.commit(seq, JSON.stringify(said)), said })
})

export default app
