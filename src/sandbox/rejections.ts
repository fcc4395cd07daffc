/**
 * Promises that were rejected and that nobody has handled: a failure that would pass as success, since nothing is thrown. The interpreter
 * keeps their list itself (scripts/lib/rejections-wasm.mjs), in memory that is given to it here and that no code in it can reach.
 */
import { StaticLifetime, type QuickJSContext, type QuickJSHandle, type StaticJSValue } from 'quickjs-emscripten-core'

/** Further ones are not kept; must be the same in scripts/lib/rejections-wasm.mjs. */
const KEPT_MAX = 256
/** A count before the list, then a promise in each. */
const SLOT_BYTES = 8

/** Answers with what one of them, the first as a rule, was rejected with. */
export function watchRejections(vm: QuickJSContext, memory: WebAssembly.Memory, list: WebAssembly.Global) {
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
