/** Types of pack.mjs for the tests. */
export interface PackedRelease {
  commit: string
  version: string
  schema_version: number
  /** The id of each task of the stories, by what it is. */
  ids: Record<string, string>
  /** Background tasks that were under way when the release was killed. */
  unfinished: string[]
  told: {
    paths: Record<string, unknown>
    tasks: Record<string, unknown>[]
    commands: Record<string, unknown>
    /** What operators were told, by path. */
    registry?: Record<string, unknown>
  }
  /** The variables with which the data are to be read, besides those of every test. */
  env?: Record<string, string>
  /** Keys of the registry, by what they are. */
  keys?: Record<string, string>
}
export function unpack(file: string, dataDir: string): PackedRelease
