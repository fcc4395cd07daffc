/**
 * Makes the interpreter keep a list of promises that are rejected while nobody handles them. QuickJS has a hook for that
 * (JS_SetHostPromiseRejectionTracker), but the build exports no way to set it: so where the hook would be called, a function added here is.
 * The list lies where the exported global `rejections` points, nowhere while that is 0: a count, 4 bytes of nothing, then the promises.
 */
import { SECTION, appended, imported, pass, reader, rewritten, sectionsOf, sized, typesOf, u32 } from './wasm.mjs'

/** Further ones are not kept; must be the same in src/sandbox/machine.ts. */
const KEPT_MAX = 256
const I32 = 0x7f
const I64 = 0x7e
/** The hook: context, promise, reason, whether it is handled now, and what it was set with. */
const HOOK = [I32, I64, I64, I32, I32].join()
/** Where the interpreter keeps the hook; and where it uses it: as a promise is rejected, and as one that was is handled. */
const HOOK_OFFSET = 160
const USES = 2

const OP = { drop: 0x1a, const: 0x41, call: 0x10, callIndirect: 0x11, load: 0x28, end: 0x0b }

function added(global) {
  const LIST = [0x23, ...global]
  const COUNT = [...LIST, 0x28, 2, 0]
  const PROMISE = [0x20, 1]
  const AT = [0x20, 5]
  /** The list begins 8 bytes before its first member, so its last one is at 8 times the count. */
  const LAST = [...LIST, ...COUNT, 0x41, 3, 0x74, 0x6a]
  const plus = (by) => [0x41, by & 0x7f, 0x6a]
  const count = (by) => [...LIST, ...COUNT, ...plus(by), 0x36, 2, 0]
  /** A promise on the list stays referenced. */
  const held = (by) => [...PROMISE, 0xa7, ...PROMISE, 0xa7, 0x28, 2, 0, ...plus(by), 0x36, 2, 0]
  const [IF, LOOP, ELSE, END, RETURN] = [[0x04, 0x40], [0x03, 0x40], [0x05], [0x0b], [0x0f]]
  const found = [...AT, ...LAST, 0x29, 3, 0, 0x37, 3, 0, ...count(-1), ...held(-1), ...RETURN]
  const handled = [
    [...LAST, 0x21, 5],
    // While at > list: what was rejected last is handled first, as a rule.
    [...LOOP, ...AT, ...LIST, 0x4b, ...IF],
    [...AT, 0x29, 3, 0, ...PROMISE, 0x51, ...IF, ...found, ...END],
    [...AT, 0x41, 8, 0x6b, 0x21, 5, 0x0c, 1, ...END, ...END],
  ].flat()
  const room = [...COUNT, 0x41, (KEPT_MAX % 128) | 0x80, KEPT_MAX >> 7, 0x49]
  const rejected = [...room, ...IF, ...count(1), ...LAST, ...PROMISE, 0x37, 3, 0, ...held(1), ...END]
  const body = [...LIST, ...IF, 0x20, 3, ...IF, ...handled, ...ELSE, ...rejected, ...END, ...END, ...END]
  return sized([[1, 1, I32], body])
}

/** The places in a function where the hook is looked up and called, each with the bytes that stand there then. */
function usesIn(bytes, { type, target }) {
  const code = reader(bytes)
  for (let left = code.u32(); left > 0; left--) {
    code.leb()
    code.advance(1)
  }
  const found = { lookups: [], calls: [] }
  while (!code.done()) {
    const from = code.at()
    const op = code.byte()
    pass(code, op)
    const immediates = reader(bytes.subarray(from + 1, code.at()))
    if (op === OP.load && immediates.u32() === 2 && immediates.u32() === HOOK_OFFSET) {
      // The code behaves as if a hook was set.
      found.lookups.push({ from, to: code.at(), by: [OP.drop, OP.const, 1] })
    } else if (op === OP.callIndirect && immediates.u32() === type) {
      found.calls.push({ from, to: code.at(), by: [OP.drop, OP.call, ...target] })
    }
  }
  return found
}

function redirected(bytes, hook) {
  const { lookups, calls } = usesIn(bytes, hook)
  if (calls.length === 0) return { bytes, uses: 0 }
  if (calls.length !== 1 || lookups.length !== 1) throw new Error('the interpreter uses its rejection hook otherwise')
  const parts = []
  let at = 0
  for (const { from, to, by } of [...lookups, ...calls]) {
    parts.push(bytes.subarray(at, from), by)
    at = to
  }
  return { bytes: Buffer.concat([...parts, bytes.subarray(at)].map((part) => Uint8Array.from(part))), uses: 1 }
}

function changedCode(body, hook) {
  const code = reader(body)
  const all = Array.from({ length: code.u32() }, () => redirected(code.take(code.u32()), hook))
  if (all.filter(({ uses }) => uses > 0).length !== USES) throw new Error('the interpreter has no rejection hook here')
  const functions = [...all.map(({ bytes }) => sized([bytes])), added(hook.global)]
  return Buffer.concat([Uint8Array.from(u32(functions.length)), ...functions])
}

/** The bytes of the module with the list. */
export function listRejections(bytes) {
  const sections = sectionsOf(bytes)
  const section = (id) => reader(sections.find((one) => one.id === id).body)
  const type = typesOf(section(SECTION.type)).findIndex(
    ({ params, results }) => params.join() === HOOK && results.length === 0,
  )
  const target = u32(imported(section(SECTION.import), 0) + section(SECTION.function).u32())
  const global = u32(imported(section(SECTION.import), 3) + section(SECTION.global).u32())
  return rewritten(bytes, ({ id, body }) => {
    if (id === SECTION.function) return appended(body, u32(type))
    if (id === SECTION.global) return appended(body, [I32, 1, OP.const, 0, OP.end])
    if (id === SECTION.export) return appended(body, [10, ...Buffer.from('rejections'), 3, ...global])
    return id === SECTION.code ? changedCode(body, { type, target, global }) : body
  })
}
