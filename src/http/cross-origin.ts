/**
 * Lets pages of other origins call the API from a browser (U53), if CORS_ORIGINS names them. A preflight has no key, so it is answered
 * before key and rate. Pages send the key themselves, so no cookie or other credential of a browser is allowed.
 */
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { Config } from '../config.ts'

/** Headers of answers that scripts may read. Any request header is allowed, because a route ignores those that it does not read. */
export const EXPOSED_HEADERS = [
  'Accept-Patch',
  'Accept-Post',
  'Allow',
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** No browser keeps the answer to a preflight longer. */
const PREFLIGHT_S = 7_200

/** The console and the page of the contract belong to this origin alone. */
const OWN_PAGES = /^\/(?:$|docs(?:$|\/)|console(?:$|\/))/

/** Without origins it does nothing. */
export function crossOrigin(origins: Config['cors_origins']): MiddlewareHandler {
  if (origins.length === 0) return (_, next) => next()
  const origin = origins === '*' ? origins : [...origins]
  const handle = cors({ origin, allowMethods: METHODS, exposeHeaders: EXPOSED_HEADERS, maxAge: PREFLIGHT_S })
  return (c, next) => {
    const isOther = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') === undefined
    return isOther || OWN_PAGES.test(c.req.path) ? next() : handle(c, next)
  }
}
