/** The service itself: its health, its contract with a readable page, and the console. */
import * as z from 'zod'
import { answerReply, endpoint, refusalReply, type Call, type Ports, type Reply } from '../endpoint.ts'
import { documentAnswer, jsonAnswer } from '../route-builders.ts'
import type { Route } from '../route.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'

/** The page may run and load only its own files. swagger-ui draws its icons as data: images. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The console shows texts of models, tools and strangers. Only its own script runs, a text becomes a page only through the sanitiser,
 * pictures are those that it has fetched itself, and it connects to its own origin alone.
 */
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify"
/** The name of such a file changes with its content. */
const CACHED_FOREVER = 'public, max-age=31536000, immutable'
const HTML = 'text/html; charset=utf-8'

const StaticParams = z.object({ file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/) })

const SERVICE_ROUTE = {
  tag: 'Service',
  open: true,
  method: 'get',
  params: NoParams,
  query: NoQuery,
  body: null,
  headers: [],
  also: [],
  problems: [],
} as const
const DOCUMENT_ROUTE = { ...SERVICE_ROUTE, query: null, problems: ['not_found'] } as const

export const SERVICE_ROUTES = {
  getHealth: endpoint(
    {
      ...SERVICE_ROUTE,
      path: '/health',
      summary: 'Liveness, version and model',
      description: 'Answers without touching any storage, and calls no model.',
      success: jsonAnswer('The service is up', 'Health'),
    },
    async ({ version, config }) => {
      const { answeringLine, answeringModel } = await import('../text/model-list.ts')
      const model = answeringModel(config)
      return answerReply({ status: 'ok', version, model }, () => [`ok ${version}`, answeringLine(model)])
    },
  ),
  getOpenapiJson: endpoint(
    {
      ...DOCUMENT_ROUTE,
      path: '/openapi.json',
      summary: 'This contract as JSON',
      description: 'The document you are reading.',
      success: documentAnswer('OpenAPI 3.1', 'application/json'),
    },
    (ports, call) => assetReply(ports, call, '/openapi.json', { 'content-type': 'application/json' }),
  ),
  getOpenapiYaml: endpoint(
    {
      ...DOCUMENT_ROUTE,
      path: '/openapi.yaml',
      summary: 'This contract as YAML',
      description: 'The document you are reading.',
      success: documentAnswer('OpenAPI 3.1', 'application/yaml'),
    },
    (ports, call) => assetReply(ports, call, '/openapi.yaml', { 'content-type': 'application/yaml' }),
  ),
  getDocs: endpoint(
    {
      ...DOCUMENT_ROUTE,
      path: '/docs',
      summary: 'This contract as a page',
      description: 'A readable page of this contract. It loads nothing from anywhere else.',
      success: documentAnswer('The page', HTML),
    },
    (ports, call) => assetReply(ports, call, '/docs', { 'content-type': HTML }),
  ),
  getDocsFile: endpoint(
    {
      ...DOCUMENT_ROUTE,
      path: '/docs/{file}',
      summary: 'A file of the page',
      description: 'Script and style of the readable page.',
      params: StaticParams,
      success: documentAnswer('The file', '*/*'),
    },
    (ports, call) => assetReply(ports, call, `/docs/${call.params.file}`),
  ),
  getConsole: endpoint(
    {
      ...DOCUMENT_ROUTE,
      path: '/',
      summary: 'The console',
      description:
        'A page to see and steer tasks with. It asks for a key and does nothing that this contract does not offer.',
      success: documentAnswer('The page', HTML),
    },
    (ports, call) => assetReply(ports, call, '/', { 'content-type': HTML, 'content-security-policy': CONSOLE_POLICY }),
  ),
  getConsoleFile: endpoint(
    {
      ...DOCUMENT_ROUTE,
      path: '/console/{file}',
      summary: 'A file of the console',
      description: 'Script and style of the console.',
      params: StaticParams,
      success: documentAnswer('The file', '*/*'),
    },
    (ports, call) => assetReply(ports, call, `/console/${call.params.file}`, { 'cache-control': CACHED_FOREVER }),
  ),
}

const NO_ASSETS = 'the console and the contract are not served here: ASSETS is not bound ([assets] in wrangler.toml)'

/** A static file. `headers` win over the usual ones; without a content type the answer has that of the asset server. */
async function assetReply(
  { assets }: Ports,
  { request }: Call<Route>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  if (assets === null) return refusalReply({ code: 'not_configured', reasons: [NO_ASSETS] })
  const asset = await assets.fetch(new Request(new URL(path, request.url)))
  if (asset.status !== 200) return refusalReply({ code: 'not_found' })
  const usual = {
    'content-type': asset.headers.get('content-type') ?? 'application/octet-stream',
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
  }
  return { kind: 'document', response: new Response(asset.body, { headers: { ...usual, ...headers } }) }
}
