/**
 * The compute Worker reads datasets and pages and runs code for the API, which alone reaches it, by a service binding. It has no binding and no secret of
 * its own, and its own code fetches nothing (docs/contributing/decisions/012-where-code-runs.md). Each isolate does one job at a time, because one job may take most of its memory.
 */
import type * as z from 'zod'
import { exclusiveLock } from '../shell/compute-lock.ts'
import type { Compute } from '../shell/ports.ts'
import { WORKBOOKS } from '../datasets/formats/workbook/bounds.ts'
import { PAGES } from '../pages/page.ts'
import { createLocalCompute } from './local.ts'
import { CodeRequest, DatasetRequest, firstLineOf, PageRequest, STATUS } from './wire.ts'
import { jsonOrNull } from '../core/terms/values/parse-json.ts'
import { errorFacts } from '../telemetry/error-facts.ts'
import { isolateLog } from '../telemetry/isolate.ts'

const gate = exclusiveLock({
  now_ms: () => Date.now(),
  wait: (ms, woken) => Promise.race([scheduler.wait(ms), ...(woken === undefined ? [] : [woken])]),
})

const compute = createLocalCompute({ workbooks: WORKBOOKS, pages: PAGES })

export default {
  fetch: (request) => answerOf(compute, request),
} satisfies ExportedHandler

async function answerOf(compute: Compute, request: Request): Promise<Response> {
  if (request.method !== 'POST' || request.body === null) return emptyResponse(STATUS.bad_job)
  const { line, rest } = await firstLineOf(request.body)
  try {
    const done = await runJob(compute, new URL(request.url).pathname, line, rest)
    if (typeof done !== 'number') return Response.json(done)
    await rest.cancel().catch(() => undefined)
    return emptyResponse(done)
  } catch (error) {
    // The data of a job belongs to its tenant, so the message of the error is not printed.
    isolateLog.write({ event: 'compute_failed', ...errorFacts(error) })
    return emptyResponse(STATUS.failed)
  }
}

const emptyResponse = (status: number) => new Response(null, { status })

/** Answers with the result, or with a status that says why there is none. */
async function runJob(
  { code, datasets, pages }: Compute,
  path: string,
  line: string | null,
  body: ReadableStream<Uint8Array>,
): Promise<object | number> {
  switch (path) {
    case '/code': {
      const asked = parseLine(CodeRequest, line)
      if (asked === null) return STATUS.bad_job
      const dataset = asked.dataset === null ? null : { entry: asked.dataset, body }
      return gate<object | number>(asked, STATUS.busy, (pause) => code.run({ ...asked, dataset, pause }))
    }
    case '/dataset': {
      const asked = parseLine(DatasetRequest, line)
      if (asked === null) return STATUS.bad_job
      const dataset = { entry: asked.dataset, body }
      return gate<object | number>(asked, STATUS.busy, (pause) => datasets.report({ ...asked, dataset, pause }))
    }
    case '/page': {
      const asked = parseLine(PageRequest, line)
      if (asked === null) return STATUS.bad_job
      const source = { entry: asked.source, body }
      return gate<object | number>(asked, STATUS.busy, (pause) => pages.report({ ...asked, source, pause }))
    }
    default:
      return STATUS.bad_job
  }
}

const parseLine = <T>(schema: z.ZodType<T>, line: string | null): T | null =>
  schema.safeParse(jsonOrNull(line ?? '')).data ?? null
