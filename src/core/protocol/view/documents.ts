/** The documents of a mode as files of its task: made anew from the state whenever one is looked at, so that they are never behind it. */
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

/** Those of a task whose newest closed row is `last`. */
export function documentsOf({ seq, head }: { seq: number; head: Head }, recall: Recall): FileWithContent[] {
  const documents = modeOf(head.mode).documents?.(head.state, { recall, end: head.end }) ?? []
  return documents.map((document) => documentFile(document, seq, head.updated_at))
}

export function documentFile({ name, content_type, text }: TextDocument, seq: number, at: number): FileWithContent {
  const tag = fingerprint(text)
  return { name, seq, at, bytes: utf8Bytes(text), content_type, source: 'mode', blob: null, content: text, tag }
}

/** All files by name; a document stands before a stored one of its name. */
export function filesWith(rows: readonly FileRow[], documents: readonly FileWithContent[]): FileEntry[] {
  const taken = new Set(documents.map(({ name }) => name))
  const stored = rows.filter(({ name }) => !taken.has(name)).map(fileEntry)
  const shown = documents.map(({ blob: _blob, content: _content, tag: _tag, ...entry }): FileEntry => entry)
  return [...stored, ...shown].sort(compareByName)
}

/** What a task has made: all but what its client put there. */
export const isArtifact = ({ source }: FileEntry): boolean => source !== 'client'
