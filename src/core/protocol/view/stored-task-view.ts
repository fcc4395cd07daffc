/** A task as its object shows it, without the links. These are signed with a secret that no object uses. */
import type { DelegationEntry } from '../../workspace/delegation-index.ts'
import type { Journal } from '../journal.ts'
import type { Spend } from '../../terms/status.ts'
import type { Artifact, TaskView } from '../../terms/view.ts'

/** Identifies one question of a task for ever. A later task with the same id has other slices. */
export interface QuestionRef {
  /** The row that asked. */
  seq: number
  /** The slice of that row. */
  nonce: string
  /** Ms since the epoch. */
  expires_ms: number
}
/** Distinguishes the row from a row with the same number in another incarnation of its task: its slice, or its time if no slice closed it. */
export const nonceOf = ({ holder, recall }: Pick<Journal, 'holder' | 'recall'>, seq: number): string =>
  holder(seq) ?? `at ${recall(seq).at}`
/** A question as a link names it. */
export interface LinkedQuestion extends QuestionRef {
  link_epoch: number
}
export interface QuestionLink extends QuestionRef {
  /** The start of the link. */
  origin: string
}
type Pending = NonNullable<TaskView['pending']>
type Asking = Extract<Pending, { kind: 'question' }>
type StoredPending = (Omit<Asking, 'answer_url'> & { link: QuestionLink | null }) | Exclude<Pending, Asking>

/** `origin` is the start of the links to the files. It is empty for a task of an earlier release. */
type StoredResult = Omit<NonNullable<TaskView['result']>, 'artifacts'> & {
  artifacts: Omit<Artifact, 'url'>[]
  origin: string
}

/** A task without the slice of the request, and with the members that the tenant's workspace stores. */
export type StoredTaskView = Omit<TaskView, 'slice' | 'pending' | 'result'> & {
  pending: StoredPending | null
  result: StoredResult | null
  spend: Spend | null
  /** The open command: the task waits for its report, or it is the `end` command of a task that has ended. */
  command: DelegationEntry | null
  /** The epoch of the task's links. It grows when the links are ended. */
  link_epoch: number
}
/** The parts of the task's links. null: there is no such link. */
interface TaskLinks {
  answer_url: string | null
  /** The holder of this token may read the files. */
  files_token: string | null
}
const NO_LINKS: TaskLinks = { answer_url: null, files_token: null }

export const filePath = (task: string, name: string, token: string | null): string =>
  `/tasks/${task}/files/${name}${token === null ? '' : `?token=${token}`}`

/** The task as clients see it, with the links of its open question and its files. */
export function withLinks(view: StoredTaskView, links: TaskLinks): Omit<TaskView, 'slice'> {
  const { spend: _spend, command: _command, link_epoch: _epoch, ...shown } = view
  return addLinks(shown, links)
}

/** Adds the links to a part of a task, such as the entry of a list. */
export function addLinks<T extends Pick<StoredTaskView, 'id' | 'pending' | 'result'>>(
  entry: T,
  links: TaskLinks,
): Omit<T, 'pending' | 'result'> & Pick<TaskView, 'pending' | 'result'> {
  const { pending, result: storedResult, ...shown } = entry
  const result = storedResult === null ? null : resultWithLinks(entry.id, storedResult, links)
  if (pending?.kind !== 'question') return { ...shown, result, pending }
  const { link: _, ...question } = pending
  return { ...shown, result, pending: { ...question, answer_url: links.answer_url } }
}

function resultWithLinks(id: string, { artifacts, origin, ...result }: StoredResult, { files_token }: TaskLinks) {
  const urlOf = (name: string) => `${origin}${filePath(id, name, files_token)}`
  return { ...result, artifacts: artifacts.map((file) => ({ ...file, url: urlOf(file.name) })) }
}

/** The task as clients see it, if no link is needed. */
export const withoutLinks = (view: StoredTaskView): Omit<TaskView, 'slice'> => withLinks(view, NO_LINKS)
