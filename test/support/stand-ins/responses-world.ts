/** The terms of the stand-in for Responses: a request, a rule, and what the endpoint remembers of its own replies. */
export type Body = Record<string, unknown>

export interface Refused {
  status: number
  message: string
  param: string | null
  code: string | null
}
export const refused = (message: string, param: string | null, code: string | null = 'invalid_value'): Refused => ({
  status: 400,
  message,
  param,
  code,
})

/** What an endpoint knows apart from the request. */
export interface World {
  /** Whether its model reasons. */
  reasons: boolean
  /** Whether its replies are streamed to this account. */
  streams: boolean
  /** Whether its model sees images. */
  sees: boolean
  /** The key of the request. */
  key: string
  /** By its encrypted content: whose key it was made for, and what followed it. */
  issued: ReadonlyMap<string, { key: string; follower: string }>
}

/** Why a request is refused: `rule` is what is wrong with it. */
export interface Rule {
  rule: string
  /** The public page that says so. */
  source: string
  broken: (body: Body, world: World) => Refused | null
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
