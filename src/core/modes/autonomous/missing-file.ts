/** The wait for a dataset that an action found missing (U36). */
import type { Recall } from '../../terms/effect.ts'
import { isNamedByClient, type FileRequest } from '../../mode/file-request.ts'
import { briefOf } from '../../mode/mode.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { fieldsOf } from '../../terms/files/file-input.ts'
import { DATASET_ENDINGS, isDataset, mayUpload } from '../../terms/files/file-types.ts'
import { fileName } from '../../terms/files/files.ts'
import { callAt } from '../conversation/calls.ts'
import { fileWaits } from '../files/waits.ts'
import { addRemark } from '../plan/remarks.ts'
import { startPlanning } from './stages.ts'
import { EXPLORATION_STARTED, type AutonomousState } from './state.ts'

/** The code with which the tools of this mode say that a client has to put a file. */
const MISSING_CODE = 'dataset_missing'

export const { fileRequest, mayAwaitFile, noteCall, waitIfMissing, onFileArrived, onAnswerForFile } =
  fileWaits<AutonomousState>({
    endings: DATASET_ENDINGS,
    findsMissing(_state, { recall, seq }) {
      const { event } = recall(seq)
      return event.kind === 'tool_returned' && !event.ok && event.code === MISSING_CODE
    },
    // The tools may choose the dataset.
    mayNeed: (_state, name) => isDataset(name),
    mayHaveWritten: () => false,
    nameAt: (_state, row, recall) => requestedName(recall, row),
    goOn(state, request, { recall }) {
      const next = { ...state, seen: NOTHING_SEEN }
      if (state.phase !== 'waiting') return { state: next, notes: [] }
      if (!isExploring(recall, request)) return { state: { ...next, phase: 'turning' }, notes: [] }
      return { state: { ...next, phase: 'exploring' }, notes: [EXPLORATION_STARTED] }
    },
    goOnWithout(state, request, { seq, recall }) {
      const next: AutonomousState = { ...addRemark(state, seq), seen: NOTHING_SEEN }
      return request !== null && isExploring(recall, request)
        ? startPlanning({ ...next, explored: request.row })
        : { ...next, phase: 'turning' }
    },
  })

const NAME_MEMBERS = ['dataset', 'dataset_name', 'name', 'file', 'filename', 'file_name', 'path'] as const

/** The name that the client knows the file by. null: the model has made the name up, so any dataset will do. */
function requestedName(recall: Recall, row: number): string | null {
  const brief = briefOf(recall)
  const { effect } = recall(row)
  const isCalled = effect?.kind === 'run_tool' && effect.by > 1
  const fields = fieldsOf(isCalled ? callAt(recall, effect.by, effect.call).input : '{}')
  const given = NAME_MEMBERS.map((member) => fields.get(member)).find((value) => typeof value === 'string')
  const named = (typeof given === 'string' ? fileName(given) : null) ?? brief.settings.dataset
  const isKnown = named !== null && isNamedByClient(brief, named) && isDataset(named) && mayUpload(named)
  return isKnown ? named : null
}

/** Whether the program itself looked for the file, at the start of a staged run. */
function isExploring(recall: Recall, { row }: FileRequest): boolean {
  const { effect } = recall(row)
  return effect?.kind === 'run_tool' && effect.phase === 'explore'
}
