/** A task as its object shows it becomes one as clients see it: with signed links of its open question (ruling 23) and its files. */
import * as z from 'zod'
import { linked, type QuestionRef, type Seen } from '../core/seen.ts'
import type { TaskView } from '../core/view.ts'
import type { Links } from './links.ts'
import { FILES_LINK, readLinksBy } from './read-link.ts'

const ANSWER = 'answer'

/** The one way from `Seen` to what leaves the service: answers, and what callbacks are told. Links to files last from `now_ms` on. */
export async function shownTask(
  links: Links,
  tenant: string,
  seen: Seen,
  now_ms: number,
): Promise<Omit<TaskView, 'slice'>> {
  const files_token = await filesToken(links, tenant, seen, now_ms)
  const link = seen.pending?.kind === 'question' ? seen.pending.link : null
  if (link === null) return linked(seen, { answer_url: null, files_token })
  const token = await links.sign(ANSWER, [tenant, seen.id, link.seq, link.expires_ms, link.nonce])
  return linked(seen, { answer_url: `${link.origin}/answers/${token}`, files_token })
}

/** In a list: its question is answered from the task itself, but what it has made can be fetched. */
export async function listedTask(links: Links, tenant: string, seen: Seen, now_ms: number) {
  return linked(seen, { answer_url: null, files_token: await filesToken(links, tenant, seen, now_ms) })
}

/** One for all files of the task. */
async function filesToken(links: Links, tenant: string, { id, result }: Seen, now_ms: number): Promise<string | null> {
  if (result === null || result.artifacts.length === 0) return null
  return readLinksBy(links, FILES_LINK).sign({ tenant, task: id }, now_ms)
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
