/** The thinking that the stand-in has handed out, and what it refuses of thinking that comes back. */
import { createHash } from 'node:crypto'
import { bad, THINKING_TYPES, turnsIn, type Asked, type Json, type Rule, type Turn } from './messages-asked.ts'

const PRESERVED = 'https://platform.claude.com/docs/en/build-with-claude/preserved-thinking'
const TROUBLE = 'https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting'

interface Issued {
  json: string
  /** What the request had before the reply. */
  prefix: string
  /** All thinking of the reply, in order. */
  reply: string[]
}

const isThinking = ({ type }: Json) => THINKING_TYPES.includes(type)
/** A signature, or the data of a block that nobody may read. */
const markOf = ({ signature, data }: Json): string => String(signature ?? data)

/** What is compared: everything before the turn but marks for the cache and thinking. Turns of one role are one. */
function prefixOf(body: Json, turns: readonly Turn[]): string {
  const plain = turns.flatMap(({ role, blocks }) =>
    blocks.filter((block) => !isThinking(block)).map((block) => ({ role, block })),
  )
  const text = JSON.stringify({ system: body.system, tools: body.tools, plain }, (name, value) =>
    name === 'cache_control' ? undefined : value,
  )
  return createHash('sha256').update(text).digest('hex')
}

export function thinkingLedger() {
  const issued = new Map<string, Issued>()
  /** Signs the thinking of a reply and remembers it. */
  const sign = (body: Json, content: readonly Json[]): Json[] => {
    const signed = content.map((block) => {
      const mark = `${block.type === 'thinking' ? 'sig' : 'data'}_${issued.size}_${createHash('sha256').update(JSON.stringify(body)).digest('base64')}`
      if (!isThinking(block)) return block
      const whole = block.type === 'thinking' ? { ...block, signature: mark } : { ...block, data: mark }
      issued.set(mark, { json: JSON.stringify(whole), prefix: prefixOf(body, turnsIn(body)), reply: [] })
      return whole
    })
    const marks = signed.filter(isThinking).map(markOf)
    for (const mark of marks) issued.get(mark)?.reply.push(...marks)
    return signed
  }
  return { sign, rules: rulesOf(issued) }
}

function rulesOf(issued: ReadonlyMap<string, Issued>): Rule[] {
  const found = ({ turns }: Asked) =>
    turns.flatMap(({ blocks }, index) => blocks.filter(isThinking).map((block) => ({ index, block })))
  return [
    {
      rule: 'thinking comes back with the signature that it had',
      source: TROUBLE,
      check: (asked) =>
        found(asked).every(({ block }) => issued.get(markOf(block))?.json === JSON.stringify(block))
          ? null
          : bad('messages: Invalid `signature` in `thinking` block'),
    },
    {
      rule: 'the thinking of the latest reply comes back whole and in order, or not at all',
      source: TROUBLE,
      check({ turns }) {
        const marks = (turns.findLast(({ role }) => role === 'assistant')?.blocks ?? []).filter(isThinking).map(markOf)
        const whole = marks.flatMap((mark) =>
          mark === issued.get(mark)?.reply[0] ? (issued.get(mark)?.reply ?? []) : [],
        )
        return JSON.stringify(marks) === JSON.stringify(whole)
          ? null
          : bad('`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.')
      },
    },
    {
      rule: 'on newer accounts nothing before thinking has changed',
      source: PRESERVED,
      check(asked) {
        if (!asked.traits.binds) return null
        const isBound = ({ index, block }: { index: number; block: Json }) =>
          issued.get(markOf(block))?.prefix === prefixOf(asked.body, asked.turns.slice(0, index))
        return found(asked).every(isBound)
          ? null
          : bad('messages: Invalid `signature` in `thinking` block. The block is bound to a different conversation.')
      },
    },
  ]
}
