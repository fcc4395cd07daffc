/**
 * Which file a call of `read_file` needs. A task waits only for a file that its client has named and can put. A name that the model has
 * made up is a mistake of the model, which the result of the tool tells it.
 */
import type { Event, Recall, StoredEffect } from '../../terms/effect.ts'
import { isSameToolName } from '../../terms/tools/client-tools.ts'
import { fieldsOf, fileNameIn } from '../../terms/files/file-input.ts'
import { mayUpload, UPLOAD_ENDINGS } from '../../terms/files/file-types.ts'
import { imageTypeOf } from '../../terms/files/images.ts'
import { isNamedByClient } from '../../mode/file-request.ts'
import { briefOf } from '../../mode/mode.ts'
import type { FileNeeds } from './waits.ts'

/** The code with which `read_file` says that there is no such file. */
const NOT_FOUND = 'not_found'

/** The schema version of the first release in which these modes wait. The rows of an older task are folded as they were. */
const WAITS_SINCE = 6
/** That of the first release in which a client could put images. */
const IMAGES_SINCE = 7

/** What the rules ask of a mode. */
interface ReadFileParts<S> {
  /** The input of a call that was made or is under way. */
  inputOf(state: S, call: { by: number; call: number }, recall: Recall): string
  /** The texts of the client after the goal. */
  textsOf(state: S, recall: Recall): Iterable<string>
}

/** The needs of a mode whose model reads files of the client with `read_file`, texts as well as datasets. */
export function readFileNeeds<S>({ inputOf, textsOf }: ReadFileParts<S>): FileNeeds<S> {
  /** The file that a call of the built-in tool is about. null: it is another call, or names no file. */
  const fileOf = (tool: string, effect: StoredEffect | null, state: S, recall: Recall): string | null => {
    if (effect?.kind !== 'run_tool' || effect.tool !== tool || isOfClient(tool, recall)) return null
    return fileNameIn(fieldsOf(inputOf(state, effect, recall)))
  }
  const isAwaitable = (name: string, state: S, recall: Recall): boolean => {
    const brief = briefOf(recall)
    const since = imageTypeOf(name) === null ? WAITS_SINCE : IMAGES_SINCE
    return brief.made_in >= since && mayUpload(name) && isNamedByClient(brief, name, textsOf(state, recall))
  }
  const nameAt = (state: S, row: number, recall: Recall) => fileOf('read_file', recall(row).effect, state, recall)
  return {
    endings: UPLOAD_ENDINGS,
    nameAt,
    findsMissing(state, { recall, seq }) {
      const { event } = recall(seq)
      const name = event.kind === 'tool_returned' && event.code === NOT_FOUND ? nameAt(state, seq, recall) : null
      return name !== null && isAwaitable(name, state, recall)
    },
    mayNeed: (state, name, { recall, effect }) =>
      fileOf('read_file', effect, state, recall) === name && isAwaitable(name, state, recall),
    mayHaveWritten(state, name, { recall, seq }) {
      const { effect, event } = recall(seq)
      return !hasFailed(event) && fileOf('write_file', effect, state, recall) === name
    },
  }
}

/** A tool of the client with the name of a built-in tool replaces it. */
const isOfClient = (tool: string, recall: Recall): boolean =>
  briefOf(recall).tools.some(({ name }) => isSameToolName(name, tool))

/** A call with an unknown outcome may have succeeded. */
const hasFailed = (event: Event): boolean => event.kind === 'tool_returned' && !event.ok
