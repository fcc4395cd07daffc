/** The common parts of the outside world. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { Tally } from '../tally.ts'
import type { Moments } from './moments.ts'

export interface Shared {
  seed: number
  tally: Tally
  moments: Moments
  quiet: boolean
  /** The secrets with which each tenant's messages and calls are signed. */
  secrets: ReadonlyMap<string, string>
  /** The tasks with a call on the wire, and the call: P4 allows one at a time. */
  open: Set<{ task: string; what: string }>
  /** Whether the service drives a task by itself. */
  isDriven: (task: string) => boolean
}

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

/** P4: a task has one effect at a time, whichever process died. */
export function enter({ tally, open }: Shared, task: string, what: string, response: ServerResponse): void {
  const other = [...open].find((one) => one.task === task)
  tally.demand(other === undefined, 'one effect of a task at a time', () => `${what} beside ${other?.what}`, task)
  const entry = { task, what }
  open.add(entry)
  response.on('close', () => open.delete(entry))
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const part of request) text += String(part)
  return text
}

/** The signature is checked by an independent library (Standard Webhooks). */
export function checkSigned(
  { secrets, tally }: Shared,
  tenant: string,
  text: string,
  headers: NodeJS.Dict<string | string[]>,
  task: string,
): void {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  let flaw: unknown = null
  try {
    new Webhook(secrets.get(tenant) ?? '').verify(text, given)
  } catch (error) {
    flaw = error
  }
  tally.demand(flaw === null, 'what goes out is signed', () => `${tenant}: ${String(flaw)}`, task)
}
