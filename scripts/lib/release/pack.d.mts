/** Types of pack.mjs for the tests. */
export interface PackedRelease {
  commit: string
  version: string
  schema_version: number
  /** The id of each task of the stories, by what it is. */
  ids: Record<string, string>
  /** Background tasks that were under way when the release was killed. */
  unfinished: string[]
  told: { paths: Record<string, unknown>; tasks: Record<string, unknown>[]; commands: Record<string, unknown> }
}
export function unpack(file: string, dataDir: string): PackedRelease
