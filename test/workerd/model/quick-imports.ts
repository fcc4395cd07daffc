/**
 * The test runtime asks Vite for the Worker's module at every call of an object, which takes ten times as long as the call.
 * Nothing changes while a test runs, so once is enough. Where a later release keeps its runner elsewhere, runs are only slow.
 */
type Import = (specifier: string) => Promise<unknown>

/** Is not undone: an alarm that goes off behind the last test would ask a Vite that is no longer there. */
export function quickImports(): void {
  const runner = memberOf(memberOf(globalThis, '__vitest_mocker__'), 'moduleRunner')
  const found = memberOf(runner, 'import')
  if (typeof runner !== 'object' || runner === null || typeof found !== 'function') return
  const real: Import = found.bind(runner)
  const known = new Map<string, Promise<unknown>>()
  const once: Import = (specifier) => {
    const module = known.get(specifier) ?? real(specifier)
    known.set(specifier, module)
    return module
  }
  Reflect.set(runner, 'import', once)
}

const memberOf = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
