/** A task as its object shows it becomes one as clients see it: with the signed link of its open question (ruling 23). */
import * as z from 'zod'
import { linked, type QuestionRef, type Seen } from '../core/seen.ts'
import type { TaskView } from '../core/view.ts'
import type { Links } from './links.ts'

const ANSWER = 'answer'

/** The one way from `Seen` to what leaves the service: answers, and what callbacks are told. */
export async function shownTask(links: Links, tenant: string, seen: Seen): Promise<Omit<TaskView, 'slice'>> {
  const link = seen.pending?.kind === 'question' ? seen.pending.link : null
  if (link === null) return linked(seen, null)
  const token = await links.sign(ANSWER, [tenant, seen.id, link.seq, link.expires_ms, link.nonce])
  return linked(seen, `${link.origin}/answers/${token}`)
}

const Claims = z.tuple([z.string(), z.string(), z.int(), z.number(), z.string()])

/** Whose question a token is for; null: not one of ours. */
export async function readAnswerLink(
  links: Links,
  token: string,
): Promise<{ tenant: string; task: string; ref: QuestionRef } | null> {
  const read = Claims.safeParse(await links.open(ANSWER, token))
  if (!read.success) return null
  const [tenant, task, seq, expires_ms, nonce] = read.data
  return { tenant, task, ref: { seq, nonce, expires_ms } }
}
