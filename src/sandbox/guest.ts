/** Boots the kit inside the interpreter. The functions of the host pass only texts and bytes, and none of them acts outside. */
import type { Column, ColumnTable } from '../datasets/table.ts'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import kitText from 'sandbox:kit'
import { FUEL_PER_MARK, SPEC_CHARS_MAX, WORDS_CHARS_MAX } from './limits.ts'
import type { Machine } from './machine.ts'
import type { Stream, RunOutput } from './run-output.ts'
import type { RunWords } from './words.ts'

/** The functions of the kit that the host calls; each turns a value into a text. */
export interface Guest {
  failure(thrown: QuickJSHandle): string | null
  value(value: QuickJSHandle): string | null
  rows: number
}

interface GuestInput {
  columns: ColumnTable
  output: RunOutput
  words: RunWords
  /** The members of result.json, each as JSON. */
  results: ReadonlyMap<string, string>
}

/** The fuel for the host's work on each character and byte that it gets, so that no loop has that work for nothing. */
const FUEL_PER_CHAR = 10
/** The fuel for one call of the host, with the handles that it creates and frees. */
const FUEL_PER_HOST_CALL = 10_000
const BYTES_PER_FUEL = 32

export function bootGuest(machine: Machine, given: GuestInput): Guest {
  const { vm } = machine
  const host = hostObject(machine, given)
  const boot = vm.unwrapResult(vm.evalCode(`(()=>{${kitText};return kit.boot})()`, 'kit.js'))
  const input = vm.newString(inputOf(given))
  const kit = vm.unwrapResult(vm.callFunction(boot, vm.undefined, host, input))
  const functions = { failure: vm.getProp(kit, 'failure'), value: vm.getProp(kit, 'value') }
  const asked = (name: 'failure' | 'value') => (handle: QuickJSHandle) => {
    const answer = vm.callFunction(functions[name], vm.undefined, handle)
    return answer.error ? null : textOf(vm, answer.value)
  }
  return { failure: asked('failure'), value: asked('value'), rows: given.columns.length }
}

function inputOf({ columns, results }: GuestInput): string {
  const members = [...results].map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  const { name, length, all = columns.columns } = columns
  const places = new Map(columns.columns.map((column, place) => [column.name, place]))
  const known = all.map((column) => ({ name: column.name, type: column.type, place: places.get(column.name) ?? null }))
  return `{"name":${JSON.stringify(name)},"length":${length},"columns":${JSON.stringify(known)},"results":{${members.join()}}}`
}

/** Reads a text if it is one and not too long. It checks the length first, because reading copies the text. */
function textOf(vm: QuickJSContext, handle: QuickJSHandle | undefined): string | null {
  if (handle === undefined || vm.typeof(handle) !== 'string') return null
  const length = vm.getProp(handle, 'length').consume((one) => vm.getNumber(one))
  return length <= SPEC_CHARS_MAX ? vm.getString(handle) : null
}

function hostObject(machine: Machine, { columns, output: taken, words }: GuestInput): QuickJSHandle {
  const { vm } = machine
  const host = vm.newObject()
  const add = (name: string, act: (...given: QuickJSHandle[]) => QuickJSHandle | undefined) =>
    vm
      .newFunction(name, (...given) => {
        machine.spend(FUEL_PER_HOST_CALL)
        return act(...given)
      })
      .consume((made) => vm.setProp(host, name, made))
  const paidText = (handle: QuickJSHandle | undefined) => {
    const text = textOf(vm, handle)
    machine.spend(FUEL_PER_CHAR * (text?.length ?? SPEC_CHARS_MAX))
    return text
  }
  add('out', (stream, line) => {
    const name: Stream = textOf(vm, stream) === 'stderr' ? 'stderr' : 'stdout'
    taken.line(name, paidText(line))
    return undefined
  })
  add('chart', (spec) => {
    const before = taken.marks()
    const refused = taken.chart(paidText(spec))
    machine.spend(FUEL_PER_MARK * (taken.marks() - before))
    return vm.newString(refused)
  })
  add('save', (name, value) => vm.newString(taken.save(paidText(name), paidText(value))))
  const columnAt = (handle: QuickJSHandle | undefined): Column | undefined =>
    handle === undefined ? undefined : columns.columns[vm.getNumber(handle)]
  add('bytes', (place) => {
    const bytes = bytesOf(columnAt(place))
    machine.spend(Math.ceil(bytes.byteLength / BYTES_PER_FUEL))
    return vm.newArrayBuffer(bytes)
  })
  const wordsAt = (place: QuickJSHandle | undefined) => {
    const column = columnAt(place)
    const json = column !== undefined && 'words' in column ? JSON.stringify(column.words) : '[]'
    if (json.length > WORDS_CHARS_MAX) throw new Error(words.words_too_long(column?.name ?? ''))
    machine.spend(json.length)
    return json
  }
  add('wordsLength', (place) => vm.newNumber(wordsAt(place).length))
  add('words', (place) => vm.newString(wordsAt(place)))
  return host
}

/** The bytes of the numbers or codes alone, whatever buffer they are part of. */
function bytesOf(column: Column | undefined): ArrayBuffer {
  const values = column === undefined ? new Uint32Array() : 'values' in column ? column.values : column.codes
  return Uint8Array.from(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)).buffer
}
