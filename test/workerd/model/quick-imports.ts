/**
 * The test runtime asks Vite for the Worker's module at every call of an object, which takes ten times as long as the call.
 * Nothing changes while a test runs, so once is enough. Where a later release keeps its runner elsewhere, runs are only slow.
 */
type Import = (specifier: string) => Promise<unknown>

/** Gives a function that undoes it. */
export function quickImports(): () => void {
  const runner = memberOf(memberOf(globalThis, '__vitest_mocker__'), 'moduleRunner')
  const found = memberOf(runner, 'import')
  if (typeof runner !== 'object' || runner === null || typeof found !== 'function') return () => undefined
  const real: Import = found.bind(runner)
  const known = new Map<string, Promise<unknown>>()
  const once: Import = (specifier) => {
    const module = known.get(specifier) ?? real(specifier)
    known.set(specifier, module)
    return module
  }
  Reflect.set(runner, 'import', once)
  return () => void Reflect.set(runner, 'import', found)
}

const memberOf = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
