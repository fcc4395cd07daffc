/** Reads members of a payload of any shape, so that the page can show events of a later version too. */
import { asNumber } from '../../parse.ts'

export type Payload = Record<string, unknown>

export function textOrNull(payload: Payload, name: string): string | null {
  const value = payload[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}
export const text = (payload: Payload, name: string): string => textOrNull(payload, name) ?? ''
export const flag = (payload: Payload, name: string): boolean => payload[name] === true

export const number = (payload: Payload, name: string): number | null => asNumber(payload[name])

export function listOf(payload: Payload, name: string): Payload[] {
  const value = payload[name]
  // Any object can be read as a record of unknown members.
  return Array.isArray(value) ? value.filter((each): each is Payload => typeof each === 'object' && each !== null) : []
}
