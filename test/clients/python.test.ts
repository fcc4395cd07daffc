/** The client for Python, without the service: what it imports, and its own tests. Needs python3 from 3.9 on. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { NO_PYTHON, PYTHON } from '../support/runner.ts'

/** `-B`: nothing is written beside the sources. `-W error`: a warning of a newer Python fails here. */
async function python(...args: string[]) {
  return promisify(execFile)(PYTHON, ['-B', '-W', 'error', ...args], { cwd: 'clients/python', timeout: 120_000 })
}

/** Prints each module that the file imports, and whether the standard library has it. */
const IMPORTS = `
import ast, json, sys
tree = ast.parse(open('loop_agent.py', encoding='utf-8').read())
names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
names |= {node.module or '.' for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
known = getattr(sys, 'stdlib_module_names', None)
print(json.dumps({name: known is None or name.split('.')[0] in known for name in sorted(names)}))
`

describe.skipIf(NO_PYTHON)('the client for Python', { timeout: 120_000 }, () => {
  it('U61 the client for Python imports nothing but the standard library', async () => {
    const { stdout } = await python('-c', IMPORTS)
    const imports = JSON.parse(stdout) as Record<string, boolean>
    expect(imports).toHaveProperty(['http.client'], true)
    expect(Object.entries(imports).filter(([, isStandard]) => !isStandard)).toEqual([])
  })

  it('U61 its own tests pass', async () => {
    // Rejects with the output of the tests, unless all of them pass.
    const { stderr } = await python('-m', 'unittest', 'test_loop_agent')
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(60)
    expect(stderr.trimEnd()).toMatch(/\nOK$/)
  })
})
