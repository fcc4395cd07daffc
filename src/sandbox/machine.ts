/**
 * The interpreter: each run gets a module instance of its own, with bounded memory and fuel. Its bounds are enforced inside the wasm. A trap
 * loses this instance and nothing else.
 */
import baseVariant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  StaticLifetime,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type StaticJSValue,
} from 'quickjs-emscripten-core'
import interpreter from 'sandbox:quickjs.wasm'
import { FUEL_OF_KIT, FUEL_PER_CALL, MEMORY_BYTES, MEMORY_PAGES, MEMORY_PAGES_FIRST, STACK_BYTES } from './limits.ts'

export interface Machine {
  vm: QuickJSContext
  runtime: QuickJSRuntime
  fuel(): number
  setFuel(units: number): void
  /** Charges fuel for work of the host. */
  spend(units: number): void
  /** Stops the code at a place that has a line number; it cannot go on. */
  stopWhen(spent: () => boolean): void
  /** The error of a rejected promise that no code has handled. */
  unhandled(): QuickJSHandle | null
  memoryBytes(): number
  memoryBytesMax: number
  dispose(): void
}

export async function openMachine(): Promise<Machine> {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES_FIRST, maximum: MEMORY_PAGES })
  let fuel: WebAssembly.Global | null = null
  let rejections: WebAssembly.Global | null = null
  const emscriptenModule = {
    instantiateWasm(imports: WebAssembly.Imports, ready: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(
        interpreter,
        chargeImports(imports, () => fuel),
      )
      fuel = globalOf(instance, 'fuel')
      rejections = globalOf(instance, 'rejections')
      ready(instance)
      return instance.exports
    },
    // The message of an abort is of use only to those who build the interpreter.
    printErr: () => {},
  }
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(baseVariant, { wasmMemory: memory, emscriptenModule, log: () => {} }),
  )
  const runtime = module.newRuntime()
  runtime.setMemoryLimit(MEMORY_BYTES)
  runtime.setMaxStackSize(STACK_BYTES)
  const vm = runtime.newContext()
  const setFuel = (units: number) => {
    if (fuel !== null) fuel.value = units
  }
  setFuel(FUEL_OF_KIT)
  return {
    vm,
    runtime,
    fuel: () => Number(fuel?.value ?? 0),
    setFuel,
    spend: (units) => setFuel(Number(fuel?.value ?? 0) - units),
    unhandled: rejections === null ? () => null : watchRejections(vm, memory, rejections),
    stopWhen: (spent) => runtime.setInterruptHandler(spent),
    memoryBytes: () => memory.buffer.byteLength,
    memoryBytesMax: MEMORY_PAGES * 65_536,
    dispose: () => disposeOf(vm, runtime, () => setFuel(FUEL_OF_KIT)),
  }
}

function globalOf({ exports }: WebAssembly.Instance, name: string): WebAssembly.Global {
  const exported = exports[name]
  if (!(exported instanceof WebAssembly.Global)) throw new Error(`the interpreter has no ${name}`)
  return exported
}

/** Wraps the imports of the interpreter, so that each call costs fuel. */
function chargeImports(imports: WebAssembly.Imports, fuel: () => WebAssembly.Global | null): WebAssembly.Imports {
  const paid = (member: WebAssembly.ImportValue): WebAssembly.ImportValue => {
    if (typeof member !== 'function') return member
    return (...given: unknown[]): unknown => {
      const left = fuel()
      if (left !== null) left.value -= FUEL_PER_CALL
      return Reflect.apply(member, null, given)
    }
  }
  return Object.fromEntries(
    Object.entries(imports).map(([name, members]) => [
      name,
      Object.fromEntries(Object.entries(members).map(([member, value]) => [member, paid(value)])),
    ]),
  )
}

/** After a trap neither may be called any more; the instance is then freed as a whole. */
function disposeOf(vm: QuickJSContext, runtime: QuickJSRuntime, refuel: () => void): void {
  try {
    refuel()
    vm.dispose()
    runtime.dispose()
  } catch {
    // Nothing else refers to its memory, so it is freed anyway.
  }
}

/** The most rejected promises that are kept. It must be the same in scripts/lib/rejections-wasm.mjs. */
const KEPT_MAX = 256
/** The list has a count first, then one promise in each slot. */
const SLOT_BYTES = 8

/**
 * Promises that were rejected and never handled are failures that would pass as success, since nothing is thrown. The interpreter keeps a list of
 * them (scripts/lib/rejections-wasm.mjs) in memory that no code inside can reach. This returns a function that reads the error of one of them,
 * usually the first.
 */
function watchRejections(vm: QuickJSContext, memory: WebAssembly.Memory, list: WebAssembly.Global) {
  const zeros = vm.newArrayBuffer(new ArrayBuffer(SLOT_BYTES * (1 + KEPT_MAX)))
  // The copy that this call creates is never freed, which keeps the address valid.
  const at = vm.getArrayBuffer(zeros).value.byteOffset
  list.value = at
  return (): QuickJSHandle | null => {
    if (new DataView(memory.buffer).getUint32(at, true) === 0) return null
    // A handle holds the address of a value in the memory of the interpreter.
    const promise = new StaticLifetime((at + SLOT_BYTES) as StaticJSValue['value'], vm.runtime)
    const state = vm.getPromiseState(promise)
    return state.type === 'rejected' ? state.error : null
  }
}
