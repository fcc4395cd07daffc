/** A task as clients see it: with signed links of its open question (U23) and its files. */
import * as z from 'zod'
import type { ListEntry } from '../../core/protocol/view/list-entry.ts'
import {
  withLinks,
  addLinks,
  type LinkedQuestion,
  type StoredTaskView,
} from '../../core/protocol/view/stored-task-view.ts'
import type { TaskView } from '../../core/terms/view.ts'
import type { Links } from './signed-links.ts'
import { FILES_LINK, readLinksBy } from './read-links.ts'

const ANSWER = 'answer'

/** The only way from the stored view to what leaves the service, in answers and in callbacks. Links to files last from `now_ms` on. */
export async function taskWithLinks(
  links: Links,
  tenant: string,
  view: StoredTaskView,
  now_ms: number,
): Promise<Omit<TaskView, 'slice'>> {
  const files_token = await filesToken(links, tenant, view, now_ms)
  const link = view.pending?.kind === 'question' ? view.pending.link : null
  if (link === null) return withLinks(view, { answer_url: null, files_token })
  const token = await links.sign(ANSWER, [tenant, view.id, link.seq, link.expires_ms, link.nonce, view.link_epoch])
  return withLinks(view, { answer_url: `${link.origin}/answers/${token}`, files_token })
}

/** The entry of a list has links to files. Its question is answered from the task itself. */
export async function entryWithLinks(links: Links, tenant: string, listed: ListEntry, now_ms: number) {
  const files_token = await filesToken(links, tenant, listed, now_ms)
  const { link_epoch: _epoch, ...entry } = listed
  return addLinks(entry, { answer_url: null, files_token })
}

/** One token for all files of the task. */
async function filesToken(
  links: Links,
  tenant: string,
  { id, result, link_epoch }: Pick<StoredTaskView, 'id' | 'result' | 'link_epoch'>,
  now_ms: number,
): Promise<string | null> {
  if (result === null || result.artifacts.length === 0) return null
  return readLinksBy(links, FILES_LINK).sign({ tenant, task: id, link_epoch }, now_ms)
}

/** The last claim is the epoch of the task's links, which links of an earlier release do not name. */
const Claims = z.tuple([z.string(), z.string(), z.int(), z.number(), z.string(), z.int().optional()])

/** The question that a token names; null for a foreign token. */
export async function readAnswerLink(
  links: Links,
  token: string,
): Promise<{ tenant: string; task: string; ref: LinkedQuestion } | null> {
  const read = Claims.safeParse(await links.open(ANSWER, token))
  if (!read.success) return null
  const [tenant, task, seq, expires_ms, nonce, link_epoch = 0] = read.data
  return { tenant, task, ref: { seq, nonce, expires_ms, link_epoch } }
}
