/** Content types and bytes to send, and how a refusal is read. */
import { expect } from 'vitest'
import { fixture, problemOf } from '../support/http-fixture.ts'

export const JSON_TYPE = { 'content-type': 'application/json' }
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
export const TEXT = { 'content-type': 'text/plain;charset=UTF-8' }
export const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))

/** What a POST that must be refused was answered; it reached no service. */
export async function refusal(path: string, body: BodyInit | null, headers: Record<string, string>) {
  const { send, asked } = fixture()
  const response = await send('POST', path, body, headers)
  const problem = await problemOf(response)
  expect(asked).toEqual([])
  return {
    status: response.status,
    code: problem['code'],
    detail: String(problem['detail']),
    errors: problem['errors'],
    response,
  }
}
