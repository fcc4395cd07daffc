/**
 * The data kit: the globals of model-written code besides the language. It is evaluated as one script at the start of each run. It takes the
 * functions of the language that it needs before that code starts, and reaches the host through closures only.
 */
import * as d3 from 'd3-array'
import * as simple from 'simple-statistics'
import { charts } from './charts.ts'
import { describeThrown } from './failure.ts'
import type { KitInput, Host } from './host.ts'
import { groupThousands, lock } from './language.ts'
import { valueText, consoleTable, toJson } from './plain.ts'
import { sourceOf } from './source.ts'
import { tableOf } from './table.ts'

const { parse, stringify } = JSON

function refuseMissing(name: string, args: unknown): void {
  if (!Array.isArray(args)) return
  const missing = args.some(
    (value) => value === null || value === undefined || (Array.isArray(value) && value.includes(null)),
  )
  if (missing)
    throw new Error(`stats.${name}: some values are missing (null); take data.numbers(column), or filter them out`)
}

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function'

function guardMember(name: string, member: unknown): unknown {
  // A class cannot be called without `new`, so it stays as it is.
  if (!isFunction(member) || /^[A-Z]/.test(name)) return member
  return (...args: unknown[]) => {
    for (const one of args) refuseMissing(name, one)
    return member(...args)
  }
}

/** simple-statistics with one trap removed: it takes a missing value (null) for 0, so this refuses missing values. */
export const stats = Object.fromEntries(
  Object.entries(simple).map(([name, member]) => [name, guardMember(name, member)]),
)

/** Sets the globals. Returns the functions that the host calls itself: they turn an error or a value into JSON. */
export function boot(host: Host, input: string) {
  const input_data: KitInput = parse(input)
  const results = new Map(Object.entries(input_data.results))
  const to =
    (stream: 'stdout' | 'stderr', words = (all: unknown[]) => all.map(valueText).join(' ')) =>
    (...all: unknown[]) =>
      host.out(stream, stringify(words(all)))
  const done = (refused: string) => {
    if (refused !== '') throw new Error(refused)
  }
  const print = to('stdout')
  const warn = to('stderr')
  const save = (name: unknown, value: unknown) => {
    if (typeof name !== 'object' || name === null) {
      done(host.save(stringify(String(name)), toJson(value)))
      results.set(String(name), parse(toJson(value)))
    } else for (const [member, one] of Object.entries(name)) save(member, one)
  }
  const members = {
    data: tableOf(sourceOf(input_data, host)),
    d3,
    stats,
    chart: charts((spec) => done(host.chart(spec)), warn),
    saveResult: save,
    readResults: () => parse(stringify(Object.fromEntries(results))) as unknown,
    print,
    console: {
      log: print,
      info: print,
      debug: print,
      warn,
      error: warn,
      table: to('stdout', ([rows]) => consoleTable(rows)),
    },
  }
  for (const [name, value] of Object.entries(members)) {
    // A `const data = …` of the code itself may hide it.
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  }
  groupThousands()
  lock()
  return {
    failure: (thrown: unknown) => stringify(describeThrown(thrown)),
    value: (value: unknown) => stringify(valueText(value)),
  }
}
