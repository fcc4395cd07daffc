/** Whether an answer link is opened by a person or by a program. The page for a person is loaded for the first one. */
import { parseAccept } from 'hono/utils/accept'

/** Whether the request prefers a page over JSON, as browsers do. A request that accepts anything gets JSON. */
export function prefersPage(request: Request): boolean {
  const accepted = parseAccept(request.headers.get('accept') ?? '').filter(({ q }) => q > 0)
  const best = accepted.find(({ type }) => ['text/html', 'application/json', 'application/problem+json'].includes(type))
  const any = accepted.find(({ type }) => type === '*/*')
  return best?.type === 'text/html' && best.q >= (any?.q ?? 0)
}
