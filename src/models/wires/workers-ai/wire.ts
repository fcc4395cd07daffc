/** Workers AI: the binding `AI` of a deployed Worker, which runs Cloudflare's own models without a key. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { boundedFetch, noAnswer, type HttpAnswer } from '../../../shell/network/bounded-fetch.ts'
import { withImageLessons } from '../images.ts'
import type { Endpoint, Send, Wire } from '../wire.ts'
import { readWorkersAi } from './reply.ts'
import { nextWorkersAiDialect, workersAiBody } from './request.ts'

type Binding = NonNullable<Endpoint['binding']>
type Options = Parameters<Send>[1]

/** The statuses and names of the documented errors. The name gets into the reason of the failure. */
const ERRORS = new Map<number, [status: number, name: string]>([
  [3003, [400, 'incomplete_request']],
  [3006, [413, 'request_too_large']],
  [3007, [408, 'timed_out']],
  [3008, [408, 'aborted']],
  [3023, [403, 'account_blocked']],
  [3036, [429, 'daily_allocation_used_up']],
  [3039, [400, 'incomplete_finetune']],
  [3040, [429, 'out_of_capacity']],
  [3041, [403, 'model_not_allowed']],
  [3042, [404, 'no_such_model']],
  [3046, [408, 'timed_out']],
  [5004, [400, 'invalid_data']],
  [5005, [405, 'no_lora']],
  [5006, [400, 'invalid_input']],
  [5007, [400, 'no_such_model']],
  [5016, [403, 'terms_not_accepted']],
  [5018, [403, 'model_not_allowed']],
  [5019, [405, 'outdated_binding']],
  [5024, [422, 'form_not_met']],
])

export const workersAiWire: Wire = {
  connect: connectBinding,
  body: workersAiBody,
  read: readWorkersAi,
  next: withImageLessons(nextWorkersAiDialect),
}

function connectBinding({ binding }: Endpoint): Send {
  if (binding === null) return async () => noAnswer('there is no binding of Workers AI')
  return async (body, options) => {
    const answer = await boundedFetch(() => runModel(binding, body, options), '', { signal: options.signal })
    return answer.kind === 'answered' && answer.status >= 300 ? namedError(answer) : answer
  }
}

/** Asks for the raw answer, which has a status, headers and a body that can be read within bounds. Some bindings give what is in it instead. */
async function runModel(binding: Binding, body: object, { headers, signal }: Options): Promise<Response> {
  const { model, ...inputs }: { model?: unknown } = { ...body }
  try {
    const output = await binding.run(String(model), inputs, { returnRawResponse: true, extraHeaders: headers, signal })
    if (output instanceof Response) return output
    return output instanceof ReadableStream ? new Response(output) : Response.json(output ?? null)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const code = codeIn(message)
    const known = code === null ? undefined : ERRORS.get(code)
    if (known === undefined) throw error
    return Response.json({ errors: [{ code, message }] }, { status: known[0] })
  }
}

/** `5007: No such model`, at times behind the name of the error. */
const CODE = /^(?:\w{1,40}: )?(\d{4}):/
const codeIn = (message: string): number | null => Number(CODE.exec(message)?.[1] ?? 0) || null

/** An error of the binding in the shape in which endpoints tell theirs, with its documented status and our name. What it says is only searched. */
function namedError(answer: Extract<HttpAnswer, { kind: 'answered' }>): HttpAnswer {
  const told = jsonOrNull(new TextDecoder().decode(answer.body))
  const { code, message } = isRecord(told) ? errorIn(told) : {}
  const known = ERRORS.get(Number(code))
  if (known === undefined) return answer
  const [status, name] = known
  const body = JSON.stringify({ error: { code: name, message } })
  return { ...answer, status, body: new Uint8Array(new TextEncoder().encode(body)) }
}

/** The binding tells an error in one of two ways. */
function errorIn({ errors, internalCode, description }: Record<string, unknown>): Record<string, unknown> {
  const [first] = Array.isArray(errors) ? errors : []
  return isRecord(first) ? first : { code: internalCode, message: description }
}
