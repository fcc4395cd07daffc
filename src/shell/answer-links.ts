/** What the holder of an answer link may do: read its question and answer it. The link names the tenant (U23). */
import type { AskedQuestion } from '../core/protocol/question.ts'
import { hideRefusal, ok, refuse, type Result } from '../core/terms/refusal.ts'
import type { Ports } from './ports.ts'
import type { Caller } from './caller.ts'
import { readAnswerLink } from './links/task-with-links.ts'
import { openIdleSlice, runSlice } from './slice/slice.ts'

export async function readQuestion(ports: Ports, token: string): Promise<Result<AskedQuestion>> {
  const link = await readAnswerLink(ports.links, token)
  if (link === null) return refuse({ code: 'link_not_found' })
  return hideTask(await ports.store.of(link.tenant, link.task).ask({ kind: 'question', ref: link.ref }))
}

/** No effect begins here. A driven task goes on by its alarm, any other at its next request. */
export async function answerQuestion(
  ports: Ports,
  caller: Omit<Caller, 'tenant'>,
  token: string,
  text: string,
): Promise<Result<{ recorded: string; replayed: boolean }>> {
  const link = await readAnswerLink(ports.links, token)
  if (link === null) return refuse({ code: 'link_not_found' })
  const { tenant, task, ref } = link
  // The scope of a key is stored, so it names the question and not the token.
  const key = caller.key === null ? null : { ...caller.key, scope: `POST /answers of ${ref.seq}` }
  const { run, ticket } = openIdleSlice(ports, { ...caller, tenant, key }, task)
  const answer = await ports.store.of(tenant, task).tell({ kind: 'answer', ref, text }, ticket)
  if (!answer.ok) return hideTask(answer)
  const { recorded, advanced } = answer.value
  const answered = advanced === null ? null : await runSlice(run, ok(advanced))
  if (answered?.ok === false) return answered
  return ok({ recorded, replayed: answered === null || answered.value.replayed === true })
}

/** The holder of a link must not learn whether a task was deleted or never existed. */
const hideTask = <T>(result: Result<T>) => hideRefusal(result, 'task_not_found', 'link_not_found')
