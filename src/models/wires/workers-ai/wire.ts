/** Workers AI: the binding `AI` of a deployed Worker, which runs Cloudflare's own models without a key. */
import { boundedFetch, noAnswer } from '../../../shell/network/bounded-fetch.ts'
import { answerReading } from '../event-stream.ts'
import { withImageLessons } from '../images.ts'
import type { Endpoint, Send, Wire } from '../wire.ts'
import { collectWorkersAi } from './collect.ts'
import { codeIn, namedError, statusOf } from './errors.ts'
import { readWorkersAi } from './reply.ts'
import { nextWorkersAiDialect, workersAiBody } from './request.ts'

type Binding = NonNullable<Endpoint['binding']>
type Options = Parameters<Send>[1]

export const workersAiWire: Wire = {
  connect: connectBinding,
  body: workersAiBody,
  collect: collectWorkersAi,
  read: readWorkersAi,
  next: withImageLessons(nextWorkersAiDialect),
}

function connectBinding({ binding }: Endpoint): Send {
  if (binding === null) return async () => noAnswer('there is no binding of Workers AI')
  return async (body, options) => {
    const { signal, stream } = options
    const answer = await boundedFetch(() => runModel(binding, body, options), '', { signal }, answerReading(stream))
    return answer.kind === 'answered' && answer.status >= 300 ? namedError(answer) : answer
  }
}

/** Asks for the raw answer, which has a status, headers and a body that can be read within bounds. Some bindings give what is in it instead. */
async function runModel(binding: Binding, body: object, { headers, signal }: Options): Promise<Response> {
  const { model, ...inputs }: { model?: unknown } = { ...body }
  try {
    const output = await binding.run(String(model), inputs, { returnRawResponse: true, extraHeaders: headers, signal })
    if (output instanceof Response) return output
    return output instanceof ReadableStream ? new Response(output, EVENTS) : Response.json(output ?? null)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const code = codeIn(message)
    const status = code === null ? undefined : statusOf(code)
    if (status === undefined) throw error
    return Response.json({ errors: [{ code, message }] }, { status })
  }
}

/** A stream without a response around it has no headers of its own. */
const EVENTS = { headers: { 'content-type': 'text/event-stream' } }
