/** Types of report-names.mjs for the tests. */
export function kindOf(name: string): 'unfinished' | 'report' | 'other'
export function commandOf(name: string): string | null
export function refusedNames(
  name: string,
  taken: (name: string) => Promise<boolean>,
): Promise<{ report: string; reason: string }>
