/** Types of told.mjs for the tests. */
export interface Told {
  event: string
  [fact: string]: unknown
}
export function teller(options: {
  json: boolean
  print?: (line: string) => void
  now?: () => Date
}): (told: Told) => void
