/** The client for Python, without the service: what it imports, and its own tests. Needs python3 from 3.9 on. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { NO_PYTHON, PYTHON } from '../support/runner.ts'

/** `-B`: nothing is written beside the sources. `-W error`: a warning of a newer Python fails here. */
async function python(...args: string[]) {
  return promisify(execFile)(PYTHON, ['-B', '-W', 'error', ...args], { cwd: 'clients/python', timeout: 120_000 })
}

/** Prints each module that the file imports, and whether the standard library has it. */
const IMPORTS = `
import ast, json, sys
tree = ast.parse(open('loop_agent.py', encoding='utf-8').read(), feature_version=(3, 9))
names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
names |= {node.module or '.' for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
known = getattr(sys, 'stdlib_module_names', None)
print(json.dumps({name: known is None or name.split('.')[0] in known for name in sorted(names)}))
`

/** Prints each request of the tests of the verbs: method, path, query and members. */
const REQUESTS = `
import json, unittest
from urllib.parse import parse_qsl, urlsplit
import test_loop_agent
sent = []
ask = test_loop_agent.Script.__call__
def noted(script, request):
    url = urlsplit(request.url.replace("/agent/", "/"))
    is_json = request.headers.get("content-type") == "application/json"
    members = sorted(json.loads(request.body)) if is_json else []
    sent.append({"method": request.method, "path": url.path, "query": [name for name, _ in parse_qsl(url.query)], "members": members})
    return ask(script, request)
test_loop_agent.Script.__call__ = noted
result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(test_loop_agent.Verbs))
assert result.wasSuccessful()
print(json.dumps(sent))
`
const Names = z.array(z.string())
const Requests = z.array(z.object({ method: z.string(), path: z.string(), query: Names, members: Names }))

const Content = z.object({ schema: z.object({ $ref: z.string().optional() }) })
const Operation = z.object({
  parameters: z.array(z.object({ in: z.string(), name: z.string() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), Content) }).optional(),
})
const Contract = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()).optional() })),
  }),
})

/** Routes for people with a link and for browsers; `request` reaches those that answer JSON. */
const WITHOUT_A_VERB = /^(?:GET|POST) \/(?:(?:answers|reports|docs|console|openapi|calendar|metrics|auth)\b.*)?$/

/** Each operation of openapi.yaml, with what it takes. */
function operations() {
  const { paths, components } = Contract.parse(parse(readFileSync('openapi.yaml', 'utf8')))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
      return {
        name: `${method.toUpperCase()} ${path}`,
        pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        query: new Set(parameters.filter((one) => one.in === 'query').map((one) => one.name)),
        members: new Set(Object.keys(components.schemas[schema]?.properties ?? {})),
      }
    }),
  )
}

describe.skipIf(NO_PYTHON)('the client for Python', { timeout: 120_000 }, () => {
  it('U61 the client for Python imports nothing but the standard library', async () => {
    const { stdout } = await python('-c', IMPORTS)
    const imports = JSON.parse(stdout) as Record<string, boolean>
    expect(imports).toHaveProperty(['http.client'], true)
    expect(Object.entries(imports).filter(([, isStandard]) => !isStandard)).toEqual([])
  })

  it('U61 its verbs send what the contract takes, and there is a verb for each route', async () => {
    const { stdout } = await python('-c', REQUESTS)
    const all = operations()
    const operationOf = (request: string) => all.find(({ pattern }) => pattern.test(request))
    const sent = Requests.parse(JSON.parse(stdout)).map((request) => ({
      ...request,
      operation: operationOf(`${request.method} ${request.path}`),
    }))
    const unknown = sent.flatMap(({ method, path, query, members, operation }) => [
      ...(operation === undefined ? [`${method} ${path}`] : []),
      ...query.filter((name) => !operation?.query.has(name.replace(/\..*/, ''))).map((name) => `${path}?${name}`),
      ...members.filter((name) => !operation?.members.has(name)).map((name) => `${path} {${name}}`),
    ])
    expect(unknown).toEqual([])
    const reached = new Set(sent.map(({ operation }) => operation?.name))
    const without = all.map(({ name }) => name).filter((name) => !reached.has(name) && !WITHOUT_A_VERB.test(name))
    expect(without).toEqual([])
  })

  it('U61 its own tests pass', async () => {
    // Rejects with the output of the tests, unless all of them pass.
    const { stderr } = await python('-m', 'unittest', 'test_loop_agent')
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(60)
    expect(stderr.trimEnd()).toMatch(/\nOK$/)
  })
})
