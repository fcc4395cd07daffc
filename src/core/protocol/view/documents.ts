/** The documents of a mode as files of its task. They are derived from the state on every read, so they are never outdated. */
import {
  compareByName,
  fileEntry,
  type FileEntry,
  type FileRow,
  type FileWithContent,
} from '../../terms/files/files.ts'
import type { Recall } from '../../terms/effect.ts'
import { fingerprint } from '../../terms/values/hash.ts'
import type { Head } from '../../terms/head.ts'
import type { TextDocument } from '../../mode/mode.ts'
import { modeOf } from '../../modes/index.ts'
import { utf8Bytes } from '../../terms/text.ts'

/** The documents of a task at its newest closed row. */
export function documentsOf({ seq, head }: { seq: number; head: Head }, recall: Recall): FileWithContent[] {
  const documents = modeOf(head.mode).documents?.(head.state, { recall, end: head.end }) ?? []
  return documents.map((document) => documentFile(document, seq, head.updated_at))
}

export function documentFile({ name, content_type, text }: TextDocument, seq: number, at: number): FileWithContent {
  const tag = fingerprint(text)
  return { name, seq, at, bytes: utf8Bytes(text), content_type, source: 'mode', blob: null, content: text, tag }
}

/** All files sorted by name. A document hides a stored file of the same name. */
export function filesWith(rows: readonly FileRow[], documents: readonly FileWithContent[]): FileEntry[] {
  const document_names = new Set(documents.map(({ name }) => name))
  const stored = rows.filter(({ name }) => !document_names.has(name)).map(fileEntry)
  const shown = documents.map(({ blob: _blob, content: _content, tag: _tag, ...entry }): FileEntry => entry)
  return [...stored, ...shown].sort(compareByName)
}

/** Whether the task itself has made the file. Its client put the other files there. */
export const isArtifact = ({ source }: FileEntry): boolean => source !== 'client'
