/** Types of bundle.mjs for the tests. */
export function readManifest(dist: string): unknown
export function readModules(
  dist: string,
  paths: readonly string[],
): { type: string; path: string; contents: string | Uint8Array }[]
