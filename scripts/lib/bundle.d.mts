/** Types of bundle.mjs for the tests. */
export function readManifest(dist: string): unknown
export function readModule(dist: string, path: string): { type: string; path: string; contents: string | Uint8Array }
