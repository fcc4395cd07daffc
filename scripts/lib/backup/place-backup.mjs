/** Puts the files of a backup into an empty data directory, and says whether every journal there folds to its heads. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { loadModes } from '../../../src/core/modes/index.ts'
import { replayRecords } from '../../../src/store/task/journal-file.ts'
import { ownAlarm, writeAlarms } from './alarms.mjs'
import { dataFiles } from './data-files.mjs'
import { loadSqlite } from '../sqlite.mjs'
import { journalIn, taskIn } from './stored-tasks.mjs'

export function placeBackup({ files }, folder, dataDir) {
  for (const { path } of files) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 })
    copyFileSync(join(folder, 'data', path), join(dataDir, path))
  }
}

/** Gives each object the alarm that it has by its own file. Answers how many. An object that cannot be read has none. */
export async function placeAlarms(dataDir) {
  const sqlite = await loadSqlite()
  const { alarms, tasks, others } = dataFiles(dataDir)
  let placed = 0
  for (const path of alarms.filter((one) => /(?:^|\/)do\//.test(one))) {
    const inClass = [...tasks, ...others].filter((one) => dirname(one) === dirname(path))
    const own = inClass.flatMap((one) => alarmFor(sqlite, join(dataDir, one), tasks.includes(one)))
    writeAlarms(sqlite, join(dataDir, path), own)
    placed += own.length
  }
  return placed
}

function alarmFor(sqlite, path, isTask) {
  try {
    const time = ownAlarm(sqlite, path)
    return time === null
      ? []
      : [{ id: basename(path, '.sqlite'), time, name: isTask ? taskIn(sqlite, path)?.name : null }]
  } catch {
    return []
  }
}

/** `failed`: one sentence for each task whose rows do not come out as they are stored, or cannot be read. */
export async function replayAll(dataDir) {
  await loadModes()
  const sqlite = await loadSqlite()
  const result = { tasks: 0, rows: 0, failed: [] }
  for (const path of dataFiles(dataDir).tasks) {
    try {
      const rows = journalIn(sqlite, join(dataDir, path))
      if (rows === null) continue
      const replay = replayRecords(rows)
      result.tasks += 1
      result.rows += rows.length
      if (!replay.ok) result.failed.push(`${path}: ${replay.refusal.detail ?? replay.refusal.code}`)
      else if (!replay.value.equal) result.failed.push(`${path}: differs at row ${replay.value.first_difference.seq}`)
    } catch (error) {
      result.failed.push(`${path}: ${error.message}`)
    }
  }
  return result
}
