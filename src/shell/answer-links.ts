/** What someone may do who holds the link of a question: look at it, and answer it. The link says whose it is (U23). */
import type { AskedQuestion } from '../core/protocol/question.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import type { Ports } from './ports.ts'
import type { Caller } from './caller.ts'
import { readAnswerLink } from './links/task-with-links.ts'
import { openSlice, runSlice, ticketOf } from './slice/slice.ts'

export async function readQuestion(ports: Ports, token: string): Promise<Result<AskedQuestion>> {
  const link = await readAnswerLink(ports.links, token)
  if (link === null) return refuse({ code: 'link_not_found' })
  return unnamed(await ports.store.of(link.tenant, link.task).question(link.ref))
}

/** Nothing is begun here: a task that the service drives goes on by its alarm, any other when it is asked to. */
export async function answerQuestion(
  ports: Ports,
  caller: Omit<Caller, 'tenant'>,
  token: string,
  text: string,
): Promise<Result<{ recorded: string; replayed: boolean }>> {
  const link = await readAnswerLink(ports.links, token)
  if (link === null) return refuse({ code: 'link_not_found' })
  const { tenant, task, ref } = link
  // The scope of a key is stored: it names the question, not the token.
  const key = caller.key === null ? null : { ...caller.key, scope: `POST /answers of ${ref.seq}` }
  const run = openSlice(ports, { ...caller, tenant, key }, task, { rounds: 0, max_ms: 0 })
  const told = await ports.store.of(tenant, task).answer(ref, text, { ...ticketOf(run, 0), more: 'nothing' })
  if (!told.ok) return unnamed(told)
  const { recorded, advanced } = told.value
  const shown = advanced === null ? null : await runSlice(run, ok(advanced))
  if (shown?.ok === false) return shown
  return ok({ recorded, replayed: shown === null || shown.value.replayed === true })
}

/** That a task was deleted, or never was, is not told to who only has a link. */
function unnamed<T>(result: Result<T>): Result<T> {
  const unknown = !result.ok && result.refusal.code === 'task_not_found'
  return unknown ? refuse({ code: 'link_not_found' }) : result
}
