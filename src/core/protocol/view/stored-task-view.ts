/** A task as its object shows it: all but the links, which are signed by a secret that no object uses. */
import type { DelegationEntry } from '../../workspace/delegation-index.ts'
import type { Journal } from '../journal.ts'
import type { Spend } from '../../terms/status.ts'
import type { Artifact, TaskView } from '../../terms/view.ts'

/** What names one question of a task for good: a task made anew under the same id has other slices. */
export interface QuestionRef {
  /** The row that asked. */
  seq: number
  /** The slice of that row. */
  nonce: string
  /** Ms since the epoch. */
  expires_ms: number
}
/** What tells the row from one of the same number in another life of its task: its slice, or of a row that no slice closed its time. */
export const nonceOf = ({ holder, recall }: Pick<Journal, 'holder' | 'recall'>, seq: number): string =>
  holder(seq) ?? `at ${recall(seq).at}`
/** As a link names it. */
export interface LinkedQuestion extends QuestionRef {
  link_epoch: number
}
export interface QuestionLink extends QuestionRef {
  /** What the link begins with. */
  origin: string
}
type Pending = NonNullable<TaskView['pending']>
type Asking = Extract<Pending, { kind: 'question' }>
type StoredPending = (Omit<Asking, 'answer_url'> & { link: QuestionLink | null }) | Exclude<Pending, Asking>

/** `origin`: what links to the files begin with; empty for a task of an earlier release. */
type StoredResult = Omit<NonNullable<TaskView['result']>, 'artifacts'> & {
  artifacts: Omit<Artifact, 'url'>[]
  origin: string
}

/** Without what the request itself did; with what the tenant's workspace keeps of it. */
export type StoredTaskView = Omit<TaskView, 'slice' | 'pending' | 'result'> & {
  pending: StoredPending | null
  result: StoredResult | null
  spend: Spend | null
  /** The command that is out: the one whose report is waited for, or the `end` of a task that has ended. */
  command: DelegationEntry | null
  /** What links of it are made under: a number that grows when they are ended. */
  link_epoch: number
}
/** What links of it are made of; null: nobody waits for one. */
interface TaskLinks {
  answer_url: string | null
  /** Lets its holder read the files. */
  files_token: string | null
}
const NO_LINKS: TaskLinks = { answer_url: null, files_token: null }

export const filePath = (task: string, name: string, token: string | null): string =>
  `/tasks/${task}/files/${name}${token === null ? '' : `?token=${token}`}`

/** As clients see it, with the links of its open question and its files. */
export function withLinks(seen: StoredTaskView, links: TaskLinks): Omit<TaskView, 'slice'> {
  const { spend: _spend, command: _command, link_epoch: _epoch, ...shown } = seen
  return addLinks(shown, links)
}

/** The same of a part of it, such as a list shows. */
export function addLinks<T extends Pick<StoredTaskView, 'id' | 'pending' | 'result'>>(
  entry: T,
  links: TaskLinks,
): Omit<T, 'pending' | 'result'> & Pick<TaskView, 'pending' | 'result'> {
  const { pending, result: made, ...shown } = entry
  const result = made === null ? null : resultWithLinks(entry.id, made, links)
  if (pending?.kind !== 'question') return { ...shown, result, pending }
  const { link: _, ...question } = pending
  return { ...shown, result, pending: { ...question, answer_url: links.answer_url } }
}

function resultWithLinks(id: string, { text, artifacts, origin }: StoredResult, { files_token }: TaskLinks) {
  const urlOf = (name: string) => `${origin}${filePath(id, name, files_token)}`
  return { text, artifacts: artifacts.map((file) => ({ ...file, url: urlOf(file.name) })) }
}

/** Where nobody waits for a link. */
export const withoutLinks = (seen: StoredTaskView): Omit<TaskView, 'slice'> => withLinks(seen, NO_LINKS)
