/** Pages of the journal and of the events, and what a repeated request is shown of rows closed with its own (P10, P14). */
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../src/core/engine/contracts.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { held, replied, thinking, ticket, value } from '../support/held.ts'
import { act, planned } from '../support/scripted.ts'

const LIMITS = [1, 2, 3, 5, 6]

/** Rows 1 and 2 are closed, 3 is under way, 4 and 5 are queued behind it. */
function queued() {
  const one = thinking()
  value(one.task.tell({ kind: 'input', text: 'first', request_id: null }, ticket('s2')))
  value(one.task.tell({ kind: 'input', text: 'second', request_id: null }, ticket('s3')))
  return one
}

describe('a page', () => {
  it.each(LIMITS)('follows the cursor by %i rows through closed, pending and queued rows', (limit) => {
    const { task } = queued()
    for (let after = 0; after <= 5; after++) {
      const page = task.ask({ kind: 'journal', after, limit })
      const rest = [1, 2, 3, 4, 5].slice(after)
      const last = rest[limit - 1]
      expect(page.ok && page.value.data.map((row) => row.seq)).toEqual(rest.slice(0, limit))
      expect(page).toMatchObject({ value: { has_more: rest.length > limit } })
      expect(page.ok && page.value.next_cursor).toBe(rest.length > limit ? String(last) : null)
    }
  })

  it.each(LIMITS)('follows the cursor by %i events through rows that caused several', (limit) => {
    const { task } = queued()
    const whole = task.ask({ kind: 'events', after: 0, limit: 100 })
    const all = whole.ok ? whole.value.data : []
    expect(all.map((event) => event.seq)).toEqual([1, 2, 3])
    for (let after = 0; after <= 3; after++) {
      const page = task.ask({ kind: 'events', after, limit })
      const rest = all.slice(after)
      expect(page.ok && page.value.data).toEqual(rest.slice(0, limit))
      expect(page.ok && page.value.next_cursor).toBe(rest.length > limit ? String(after + limit) : null)
    }
  })
})

describe('P14 a repeated request', () => {
  it('is shown the task as it stood with what was queued behind its effect, and no later', () => {
    const { task } = held()
    const key = { scope: 'POST /step', key: 'k', digest: 'd' }
    value(task.commit(2, replied(planned('A')), ticket('s1', 'nothing')))
    value(task.begin({ ...ticket('s2'), key }))
    value(task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s3')))
    value(task.tell({ kind: 'input', text: 'and milk', request_id: null }, ticket('s4')))
    value(task.commit(3, replied(act()), { ...ticket('s2', 'nothing'), key }))
    value(task.tell({ kind: 'top_up', add: { steps: 1 } }, ticket('s5', 'nothing')))
    const again = value(task.begin({ ...ticket('s6'), key }))
    expect(again).toMatchObject({ advanced: false, earlier: { version: 5, advanced: true }, task: { version: 5 } })
  })
})

describe('D5 the worst case of a call', () => {
  it.each(['', 'a-much-longer-name-of-a-model'])(
    'is the bytes of prompt, schema and model name, and 512 around them (%s)',
    (name) => {
      const one = thinking({ model: name === '' ? null : name })
      const { assignment } = value(one.task.begin(ticket('s1')))
      const messages = assignment?.work.kind === 'call_model' ? assignment.work.messages : []
      const sent = [
        messages,
        schemaOf('plan_execute', 'thought', modeOf('plan_execute').tools),
        name === '' ? 'scripted' : name,
      ]
      const bytes = sent.map((part) => new TextEncoder().encode(JSON.stringify(part)).byteLength)
      expect(one.rows.pending()?.reserved.input_tokens).toBe(bytes.reduce((sum, each) => sum + each, 512))
    },
  )
})
