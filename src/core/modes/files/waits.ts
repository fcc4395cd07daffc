/**
 * The wait for a file of the client that a call has found missing (U36). The arrival of the file goes on, and so does a text in its
 * place. A mode says which calls need files, and how it goes on.
 */
import * as z from 'zod'
import type { EventOf, Note, Recall, StoredEffect } from '../../terms/effect.ts'
import { filePrompt } from '../../terms/text.ts'
import { isRequested, isUsable, type FileRequest } from '../../mode/file-request.ts'
import { briefOf, expectEvent, type Handler, type HandlerContext } from '../../mode/mode.ts'

const row = z.int().min(1)

/** Members of the state of a mode that waits for files. */
export const FileWaits = z.object({
  /** The call that found a file missing, until the file is there or a person says to go on without it. */
  missing: row.nullable(),
  /** How many times the task has waited for a file. */
  waits: z.int().min(0),
  /** Whether a person said to go on without the file. */
  declined: z.boolean(),
  /** The row of the file that has arrived, until the model has replied to the news of it. */
  arrived: row.nullable(),
})
type FileWaits = z.infer<typeof FileWaits>
export const NO_FILE_WAITS: FileWaits = { missing: null, waits: 0, declined: false, arrived: null }

/** A task waits for files so many times. After that the model goes on with what there is. */
export const FILE_WAITS_MAX = 3

interface Change<S> {
  state: S
  notes: Note[]
}

/** Which calls of a mode need files of its client. */
export interface FileNeeds<S> {
  /** The endings of the files that its tools can read. */
  endings: readonly string[]
  /** Whether the call that has just returned needs a file that its client has to put. */
  findsMissing(state: S, context: HandlerContext): boolean
  /** Whether the call under way may find that this file is missing. */
  mayNeed(state: S, name: string, context: { recall: Recall; effect: StoredEffect }): boolean
  /** Whether this file may be there after the call that has just returned, because the call has written it. */
  mayHaveWritten(state: S, name: string, context: HandlerContext): boolean
  /** The name of the file that the call of a row needs. null: any file of these endings will do. */
  nameAt(state: S, row: number, recall: Recall): string | null
}

/** How a mode uses files of its client. */
interface FileRules<S> extends FileNeeds<S> {
  /** The state after a file has arrived. A task that has not begun to wait only makes its further calls. */
  goOn(state: S, request: FileRequest, context: HandlerContext): Change<S>
  /** The state after a text in place of the file, which the model has to be shown. */
  goOnWithout(state: S, request: FileRequest | null, context: HandlerContext): S
}

/** The handlers of a mode that waits for files in its phase `waiting`. */
export function fileWaits<S extends FileWaits & { phase: string }>(rules: FileRules<S>) {
  const { endings } = rules
  const fileRequest = (state: S, { recall }: { recall: Recall }): FileRequest | null => {
    const { missing } = state
    if (missing === null) return null
    return { row: missing, request_id: `file_${missing}`, name: rules.nameAt(state, missing, recall), endings }
  }
  const mayAwaitFile = (state: S, name: string, context: { recall: Recall; effect: StoredEffect }): boolean => {
    const request = fileRequest(state, context)
    return (request !== null && isRequested(request, name)) || rules.mayNeed(state, name, context)
  }
  /** Remembers a call that found its file missing, unless a person has said to go on without it. A later call may write the file. */
  const noteCall = (state: S, context: HandlerContext): S => {
    const mayWait = !state.declined && state.waits < FILE_WAITS_MAX
    if (mayWait && rules.findsMissing(state, context)) return { ...state, missing: context.seq }
    const name = fileRequest(state, context)?.name ?? null
    const isThere = name !== null && rules.mayHaveWritten(state, name, context)
    return isThere ? { ...state, missing: null } : state
  }
  /** Begins the wait if a file is missing. Otherwise the state stays as it is. */
  const waitIfMissing = (state: S, { recall }: { recall: Recall }): Change<S> => {
    const request = fileRequest(state, { recall })
    if (request === null) return { state, notes: [] }
    const { request_id, name } = request
    const prompt = filePrompt(briefOf(recall).locale, name, endings)
    const note: Note = { type: 'file_requested', payload: { request_id, name, prompt } }
    return { state: { ...state, phase: 'waiting', waits: state.waits + 1 }, notes: [note] }
  }
  /** A file of another name changes nothing, unless a person has chosen it. */
  const onFileArrived: Handler<S, 'file_arrived'> = (state, event, context) => {
    const request = fileRequest(state, context)
    if (request === null || !continues(request, event)) return { state, notes: [] }
    const { request_id } = request
    const note: Note = { type: 'file_arrived', payload: { request_id, name: event.name } }
    const { state: next, notes } = rules.goOn({ ...state, missing: null, arrived: context.seq }, request, context)
    return { state: next, notes: [note, ...notes] }
  }
  /** A text in place of the file: the task goes on without it, and asks for no other. */
  const onAnswerForFile: Handler<S, 'user_answered'> = (state, { text }, context) => {
    const request = fileRequest(state, context)
    const next = rules.goOnWithout({ ...state, missing: null, declined: true }, request, context)
    if (request === null) return { state: next, notes: [] }
    const note: Note = { type: 'clarification_answered', payload: { request_id: request.request_id, answer: text } }
    return { state: next, notes: [note] }
  }
  return { fileRequest, mayAwaitFile, noteCall, waitIfMissing, onFileArrived, onAnswerForFile }
}

const continues = (request: FileRequest, { name, chosen }: EventOf<'file_arrived'>): boolean =>
  isRequested(request, name) || (chosen === true && isUsable(request, name))

/** The name of the file that has arrived. */
export const arrivedName = (recall: Recall, row: number): string => expectEvent(recall(row), 'file_arrived').name
