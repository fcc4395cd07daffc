/**
 * The interpreter: a module instance of its own for each run, with memory that ends and fuel that runs out. What it does is bounded where
 * it happens, in wasm; when it traps, this instance is lost and nothing else.
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
  /** What is left. */
  fuel(): number
  setFuel(units: number): void
  /** For what the host does. */
  spend(units: number): void
  /** Stops the code at a place that has a line; it cannot go on. */
  stopWhen(spent: () => boolean): void
  /** What a promise was rejected with that nobody has handled. */
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
        charged(imports, () => fuel),
      )
      fuel = globalOf(instance, 'fuel')
      rejections = globalOf(instance, 'rejections')
      ready(instance)
      return instance.exports
    },
    // What it says when it aborts is for those who build it.
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

/** What the interpreter imports, each call of it paid for. */
function charged(imports: WebAssembly.Imports, fuel: () => WebAssembly.Global | null): WebAssembly.Imports {
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

/** After a trap neither may be called any more; the instance then goes as a whole. */
function disposeOf(vm: QuickJSContext, runtime: QuickJSRuntime, refuel: () => void): void {
  try {
    refuel()
    vm.dispose()
    runtime.dispose()
  } catch {
    // Nothing else refers to its memory.
  }
}

/** Further ones are not kept; must be the same in scripts/lib/rejections-wasm.mjs. */
const KEPT_MAX = 256
/** A count before the list, then a promise in each. */
const SLOT_BYTES = 8

/** Answers with what one of them, the first as a rule, was rejected with. */
function watchRejections(vm: QuickJSContext, memory: WebAssembly.Memory, list: WebAssembly.Global) {
  const zeros = vm.newArrayBuffer(new ArrayBuffer(SLOT_BYTES * (1 + KEPT_MAX)))
  // The copy that it hands out is never let go of.
  const at = vm.getArrayBuffer(zeros).value.byteOffset
  list.value = at
  return (): QuickJSHandle | null => {
    if (new DataView(memory.buffer).getUint32(at, true) === 0) return null
    // The place of a value in the memory of the interpreter is what a handle of it holds.
    const promise = new StaticLifetime((at + SLOT_BYTES) as StaticJSValue['value'], vm.runtime)
    const state = vm.getPromiseState(promise)
    return state.type === 'rejected' ? state.error : null
  }
}
