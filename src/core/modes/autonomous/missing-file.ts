/** The wait for a dataset that an action found missing (U36). The arrival of the file goes on, and so does a text in its place. */
import type { Fact, Note, Recall } from '../../terms/effect.ts'
import {
  briefOf,
  expectEvent,
  isNamedByClient,
  type FileRequest,
  type Handler,
  type HandlerResult,
} from '../../mode/mode.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { fieldsOf } from '../../terms/files/file-input.ts'
import { isDataset, DATASET_ENDINGS } from '../../terms/files/file-types.ts'
import { fileName } from '../../terms/files/files.ts'
import { filePrompt } from '../../terms/text.ts'
import { callAt } from '../conversation/calls.ts'
import { addRemark } from '../plan/remarks.ts'
import { startPlanning } from './stages.ts'
import { EXPLORATION_STARTED, type AutonomousState } from './state.ts'

/** A task waits for files so many times. After that the model goes on with what there is. */
export const FILE_WAITS_MAX = 3

/** The code with which the tools of this mode say that a client has to put a file. */
const MISSING_CODE = 'dataset_missing'

/** Remembers an action that found its file missing, unless a person has said to go on without it. */
export function noteMissingFile(state: AutonomousState, { event }: Fact, seq: number): AutonomousState {
  const isMissing = event.kind === 'tool_returned' && !event.ok && event.code === MISSING_CODE
  const mayWait = !state.declined && state.waits < FILE_WAITS_MAX
  return isMissing && mayWait ? { ...state, missing: seq } : state
}

/** Begins the wait if a file is missing. Otherwise the state stays as it is. */
export function waitIfMissing(state: AutonomousState, recall: Recall): { state: AutonomousState; notes: Note[] } {
  const request = fileRequest(state, { recall })
  if (request === null) return { state, notes: [] }
  const { request_id, name } = request
  const prompt = filePrompt(briefOf(recall).locale, name, DATASET_ENDINGS)
  const note: Note = { type: 'file_requested', payload: { request_id, name, prompt } }
  return { state: { ...state, phase: 'waiting', waits: state.waits + 1 }, notes: [note] }
}

export function fileRequest({ missing }: AutonomousState, { recall }: { recall: Recall }): FileRequest | null {
  return missing === null ? null : { row: missing, request_id: `file_${missing}`, name: requestedName(recall, missing) }
}

const NAME_MEMBERS = ['dataset', 'dataset_name', 'name', 'file', 'filename', 'file_name', 'path'] as const

/** The name that the client knows the file by. null: the model has made the name up, so any dataset will do. */
function requestedName(recall: Recall, row: number): string | null {
  const brief = briefOf(recall)
  const { effect } = recall(row)
  const isCalled = effect?.kind === 'run_tool' && effect.by > 1
  const fields = fieldsOf(isCalled ? callAt(recall, effect.by, effect.call).input : '{}')
  const given = NAME_MEMBERS.map((member) => fields.get(member)).find((value) => typeof value === 'string')
  const named = (typeof given === 'string' ? fileName(given) : null) ?? brief.settings.dataset
  return named !== null && isNamedByClient(brief, named) && isDataset(named) ? named : null
}

/** A file of another name, or that is no dataset, changes nothing. */
export const onFileArrived: Handler<AutonomousState, 'file_arrived'> = (state, { name }, { seq, recall }) => {
  const request = fileRequest(state, { recall })
  const fits = request !== null && isDataset(name) && (request.name === null || request.name === name)
  if (!fits) return { state, notes: [] }
  const note: Note = { type: 'file_arrived', payload: { request_id: request.request_id, name } }
  const next: AutonomousState = { ...state, missing: null, arrived: seq, seen: NOTHING_SEEN }
  if (state.phase !== 'waiting') return { state: next, notes: [note] }
  if (!isExploring(recall, request)) return { state: { ...next, phase: 'turning' }, notes: [note] }
  return { state: { ...next, phase: 'exploring' }, notes: [note, EXPLORATION_STARTED] }
}

/** A text in place of the file: the run goes on without it, and asks for no other. */
export const onAnswerForFile: Handler<AutonomousState, 'user_answered'> = (state, { text }, { seq, recall }) => {
  const request = fileRequest(state, { recall })
  const next: AutonomousState = { ...addRemark(state, seq), missing: null, declined: true, seen: NOTHING_SEEN }
  if (request === null) return { state: { ...next, phase: 'turning' }, notes: [] }
  const note: Note = { type: 'clarification_answered', payload: { request_id: request.request_id, answer: text } }
  const goesOn = isExploring(recall, request)
    ? startPlanning({ ...next, explored: request.row })
    : { ...next, phase: 'turning' as const }
  return { state: goesOn, notes: [note] } satisfies HandlerResult<AutonomousState>
}

/** Whether the program itself looked for the file, at the start of a staged run. */
function isExploring(recall: Recall, { row }: FileRequest): boolean {
  const { effect } = recall(row)
  return effect?.kind === 'run_tool' && effect.phase === 'explore'
}

/** The name of the file that has arrived. */
export const arrivedName = (recall: Recall, row: number): string => expectEvent(recall(row), 'file_arrived').name
