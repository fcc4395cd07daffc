/**
 * A plan-and-execute loop with the AI SDK: `generateText` with a structured output, the conversation as messages. Each message is a
 * row that is written when its op is done, and the place of the loop beside it in the same transaction.
 */
import { DatabaseSync } from 'node:sqlite'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, Output } from 'ai'
import * as z from 'zod'
import { serve } from '../serve.mjs'
import { acknowledgementOf, contractsOf, GOAL, phaseAfter, spotOf, systemOf, textOfAction } from '../task.mjs'

const { MODEL_ORIGIN, STORAGE } = process.env
const provider = createOpenAICompatible({
  name: 'bench',
  baseURL: `${MODEL_ORIGIN}/v1`,
  apiKey: 'none',
  supportsStructuredOutputs: true,
})
const contracts = contractsOf(z)
const outputs = Object.fromEntries(
  Object.entries(contracts).map(([phase, schema]) => [phase, Output.object({ schema })]),
)

const database = new DatabaseSync(`${STORAGE}/peer.sqlite`)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS chats (id TEXT PRIMARY KEY, model TEXT NOT NULL, phase TEXT, ops INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (chat TEXT, seq INTEGER, message TEXT NOT NULL, PRIMARY KEY (chat, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
const sql = {
  chat: database.prepare('SELECT model, phase, ops FROM chats WHERE id = ?'),
  messages: database.prepare('SELECT message FROM messages WHERE chat = ? ORDER BY seq'),
  save: database.prepare('INSERT OR REPLACE INTO chats VALUES (?, ?, ?, ?)'),
  say: database.prepare('INSERT INTO messages VALUES (?, ?, ?)'),
  todo: database.prepare('INSERT INTO todos (text) VALUES (?)'),
}

function load(id) {
  const messages = sql.messages.all(id).map(({ message }) => JSON.parse(message))
  return { id, ...sql.chat.get(id), messages }
}

/** Keeps what one op added, and where the loop stands, at once. */
function save(chat, phase, message, ops) {
  database.exec('BEGIN IMMEDIATE')
  sql.say.run(chat.id, chat.messages.length, JSON.stringify(message))
  sql.save.run(chat.id, chat.model, phase, ops)
  database.exec('COMMIT')
  chat.messages.push(message)
  Object.assign(chat, { phase, ops })
}

async function op(chat) {
  const { phase, ops } = chat
  if (phase === 'tool') return save(chat, phaseAfter(phase), runTool(chat), ops + 1)
  const { output } = await generateText({
    model: provider(chat.model),
    system: systemOf(phase),
    messages: chat.messages,
    temperature: 0,
    maxOutputTokens: 4096,
    output: outputs[phase],
    maxRetries: 0,
    headers: spotOf(chat.id, phase, ops),
  })
  save(chat, phaseAfter(phase, output), { role: 'assistant', content: JSON.stringify(output) }, ops + 1)
}

function runTool({ messages }) {
  const { next_action } = contracts.thought.parse(JSON.parse(messages.at(-1).content))
  const text = textOfAction(next_action.input)
  const { lastInsertRowid } = sql.todo.run(text)
  return { role: 'user', content: `observation: ${acknowledgementOf(lastInsertRowid, text)}` }
}

/** The first op has seq 0 and is the plan. */
const told = ({ ops, phase }) => ({ ops, done: phase === null })
async function create(id, model) {
  const chat = { id, model, phase: 'plan', ops: 0, messages: [] }
  save(chat, 'plan', { role: 'user', content: GOAL }, 0)
  await op(chat)
  return told(chat)
}
async function step(id) {
  const chat = load(id)
  await op(chat)
  return told(chat)
}
async function work(id) {
  const chat = load(id)
  while (chat.phase !== null) await op(chat)
  return told(chat)
}
serve({ create, step, work })
