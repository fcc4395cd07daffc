/** The routes about the service itself: health, the contract and its readable page, and the console. */
import type { Routes } from './contract.ts'
import { refused, type Call, type Handler, type Ports, type Reply, type Route } from './route.ts'

/** The page may run and load what it came with, and nothing else; swagger-ui draws its icons as data: images. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The console shows what models, tools and strangers have written: only its own script runs, no text becomes a script or a page but through
 * its sanitiser, pictures are those it has fetched itself, and it speaks with its own origin alone.
 */
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify"
/** The name of such a file changes with what is in it. */
const KEPT = 'public, max-age=31536000, immutable'

export const getHealth: Handler<Routes['getHealth']> = async ({ version }) => ({
  kind: 'answer',
  status: 200,
  json: { status: 'ok', version },
  lines: () => [`ok ${version}`],
})

export const getOpenapiJson: Handler<Routes['getOpenapiJson']> = (ports, call) =>
  asset(ports, call, '/openapi.json', 'application/json')
export const getOpenapiYaml: Handler<Routes['getOpenapiYaml']> = (ports, call) =>
  asset(ports, call, '/openapi.yaml', 'application/yaml')
export const getDocs: Handler<Routes['getDocs']> = (ports, call) =>
  asset(ports, call, '/docs', 'text/html; charset=utf-8')
export const getDocsFile: Handler<Routes['getDocsFile']> = (ports, call) =>
  asset(ports, call, `/docs/${call.params.file}`, null)
export const getConsole: Handler<Routes['getConsole']> = (ports, call) =>
  asset(ports, call, '/', 'text/html; charset=utf-8', { 'content-security-policy': CONSOLE_POLICY })
export const getConsoleFile: Handler<Routes['getConsoleFile']> = (ports, call) =>
  asset(ports, call, `/console/${call.params.file}`, null, { 'cache-control': KEPT })

/** `type`: of a document we know; null: as the asset server says. `more`: headers of its own. */
async function asset(
  { assets }: Ports,
  call: Call<Route>,
  path: string,
  type: string | null,
  more: Record<string, string> = {},
): Promise<Reply> {
  const found = await assets.fetch(new Request(new URL(path, call.request.url)))
  if (found.status !== 200) return refused({ code: 'not_found' })
  const headers = new Headers({
    'content-type': type ?? found.headers.get('content-type') ?? 'application/octet-stream',
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    ...more,
  })
  return { kind: 'document', response: new Response(found.body, { headers }) }
}
