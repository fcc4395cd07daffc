/** Types of folders.mjs for the tests. */
export type Fs = typeof import('node:fs/promises')
export interface Pair {
  pending: string
  processed: string
}
export interface Folders {
  root: string
  commands: Pair
  reports: Pair
  state: string
}
export function openFolders(fs: Fs, dir: string): Promise<Folders>
