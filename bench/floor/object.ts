/** Floors (b), one call of an object with a small transactional write, and (n), two of them. No model. */
import { Hono } from 'hono'
import { rowsOf, type Env } from './floor.ts'

export { RowObject } from './row-object.ts'

const app = new Hono<{ Bindings: Env }>()
app.post('/one/:id', async (c) => {
  const body = await c.req.text()
  return c.json({ seq: await rowsOf(c.env, c.req.param('id')).begin(body) })
})
app.post('/two/:id', async (c) => {
  const rows = rowsOf(c.env, c.req.param('id'))
  const seq = await rows.begin(await c.req.text())
  return c.json({ seq: await rows.commit(seq, 'done') })
})

export default app
