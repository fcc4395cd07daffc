/**
 * The compute Worker: reads datasets and runs code for the API, which alone reaches it, by a service binding. It has no binding and no secret, and
 * its own code fetches nothing (docs/contributing/decisions/012-where-code-runs.md). Each isolate of it does one job at a time, because one job may take most of its memory.
 */
import type * as z from 'zod'
import { exclusiveLock } from '../shell/compute-lock.ts'
import type { Compute } from '../shell/ports.ts'
import { WORKBOOKS } from '../datasets/formats/workbook/bounds.ts'
import { createLocalCompute } from './local.ts'
import { CodeRequest, DatasetRequest, firstLineOf, STATUS } from './wire.ts'

const gate = exclusiveLock({
  now_ms: () => Date.now(),
  wait: (ms, woken) => Promise.race([scheduler.wait(ms), ...(woken === undefined ? [] : [woken])]),
})

const compute = createLocalCompute(WORKBOOKS)

export default {
  fetch: (request) => answerOf(compute, request),
} satisfies ExportedHandler

async function answerOf(compute: Compute, request: Request): Promise<Response> {
  if (request.method !== 'POST' || request.body === null) return refused(STATUS.bad_job)
  const { line, rest } = await firstLineOf(request.body)
  try {
    const done = await ask(compute, new URL(request.url).pathname, line, rest)
    if (typeof done !== 'number') return Response.json(done)
    await rest.cancel().catch(() => undefined)
    return refused(done)
  } catch (error) {
    // What a job holds is its tenant's: its message is not printed.
    console.error('compute: a job failed:', error instanceof Error ? error.name : 'unknown error')
    return refused(STATUS.failed)
  }
}

const refused = (status: number) => new Response(null, { status })

/** What came of it, or a status that says why nothing did. */
async function ask(
  { code, datasets }: Compute,
  path: string,
  line: string | null,
  body: ReadableStream<Uint8Array>,
): Promise<object | number> {
  switch (path) {
    case '/code': {
      const asked = parsed(CodeRequest, line)
      if (asked === null) return STATUS.bad_job
      const dataset = asked.dataset === null ? null : { entry: asked.dataset, body }
      return gate<object | number>(asked, STATUS.busy, (pause) => code.run({ ...asked, dataset, pause }))
    }
    case '/dataset': {
      const asked = parsed(DatasetRequest, line)
      if (asked === null) return STATUS.bad_job
      const dataset = { entry: asked.dataset, body }
      return gate<object | number>(asked, STATUS.busy, (pause) => datasets.report({ ...asked, dataset, pause }))
    }
    default:
      return STATUS.bad_job
  }
}

function parsed<T>(schema: z.ZodType<T>, line: string | null): T | null {
  try {
    return schema.parse(JSON.parse(line ?? ''))
  } catch {
    return null
  }
}
