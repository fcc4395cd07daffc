/** JSON with sorted members, so that equal values have equal texts. */
import { isRecord } from '../../core/terms/plain/is-record.ts'

export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null'

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}
