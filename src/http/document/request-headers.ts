/** The request headers of the routes, as openapi.yaml describes them. */
import type { RequestHeaderName } from '../route.ts'

export const REQUEST_HEADERS: Record<RequestHeaderName, { description: string; schema: Record<string, unknown> }> = {
  'Idempotency-Key': {
    description:
      'Makes the request safe to send again. With the same key and the same body it is answered as the first time, with ' +
      '`Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An ' +
      'answer of 400, 413, 415 or 422 does not use the key up.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  'If-Match': {
    description:
      'The `ETag` of what you have seen, or `*` for whatever there is: 412 when the task is another version by now.',
    schema: { type: 'string', example: '"7"' },
  },
  'If-None-Match': {
    description:
      'The `ETag` of what you have, a list of them, or `*`: 304 when the task, or the file, is still that. While ' +
      '`retry_after_ms` is counting down the answer is always 200.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description: 'Of a stream: the id of the last event that was seen. It wins over `after` when it is a number.',
    schema: { type: 'string' },
  },
  Prefer: {
    description:
      '`wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; ' +
      'when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored.',
    schema: { type: 'string', example: 'wait=10' },
  },
}
