/** Floor (a): a Hono Worker that reads JSON and answers JSON. */
import { Hono } from 'hono'

const app = new Hono()
app.get('/health', (c) => c.json({ status: 'ok' }))
app.post('/tasks/:id/step', async (c) => c.json({ id: c.req.param('id'), read: await c.req.json() }))

export default app
