/**
 * Puts fuel into a WebAssembly module: each function entered and each turn of a loop takes 1 from an exported global `fuel`, bytes copied
 * and filled in one go take theirs, and below 0 the module traps. So a bound holds for everything that runs in it – also for what an
 * interpreter does in one step, such as a search through a long text – and is the same number on every machine.
 */
import { SECTION, appended, imported, pass, reader, rewritten, sectionsOf, sized, typesOf, u32 } from './wasm.mjs'

const I32 = 0x7f
const MUTABLE = 1
const OP = {
  unreachable: 0x00,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  get: 0x23,
  set: 0x24,
  const: 0x41,
  less: 0x48,
  sub: 0x6b,
  shift: 0x76,
  tee: 0x22,
  local: 0x20,
}
const NO_RESULT = 0x40
/** 2^31 - 1 as signed LEB128. */
const I32_MAX = [0xff, 0xff, 0xff, 0xff, 0x07]
/** memory.copy and memory.fill behind the prefix 0xfc. */
const BULK = new Set([10, 11])
/** 2^6 bytes cost one unit, which is about the time of one iteration of a loop. */
const BYTES_SHIFT = 6

const TRAP_BELOW_0 = (fuel) => [OP.get, ...fuel, OP.const, 0, OP.less, OP.if, NO_RESULT, OP.unreachable, OP.end]
const TAKE_1 = (fuel) => [OP.get, ...fuel, OP.const, 1, OP.sub, OP.set, ...fuel, ...TRAP_BELOW_0(fuel)]
/** The number of bytes is on the stack, and stays there. */
const TAKE_BYTES = (fuel, local) => [
  OP.tee,
  ...local,
  OP.get,
  ...fuel,
  OP.local,
  ...local,
  OP.const,
  BYTES_SHIFT,
  OP.shift,
  OP.sub,
  OP.set,
  ...fuel,
  ...TRAP_BELOW_0(fuel),
]

/** A function with fuel instructions; `params` is the number of locals before its own. */
function metered(bytes, params, fuel) {
  const code = reader(bytes)
  let locals = params
  const groups = code.u32()
  const groupsAt = code.at()
  for (let left = groups; left > 0; left--) {
    locals += code.u32()
    code.advance(1)
  }
  const own = bytes.subarray(groupsAt, code.at())
  // One more local holds the number of copied bytes.
  const parts = [u32(groups + 1), own, [1, I32], TAKE_1(fuel)]
  let from = code.at()
  while (!code.done()) {
    const start = code.at()
    const op = code.byte()
    const second = pass(code, op)
    const bulk = op === 0xfc && BULK.has(second)
    if (op !== OP.loop && !bulk) continue
    const to = bulk ? start : code.at()
    parts.push(bytes.subarray(from, to), bulk ? TAKE_BYTES(fuel, u32(locals)) : TAKE_1(fuel))
    from = to
  }
  return sized([...parts, bytes.subarray(from)])
}

/** The facts about a module that its functions need: the number of parameters of each, and the index of the new global. */
function outline(sections) {
  const section = (id) => reader(sections.find((one) => one.id === id)?.body ?? Uint8Array.of(0))
  const params = typesOf(section(SECTION.type)).map((type) => type.params.length)
  const functions = section(SECTION.function)
  const globals = section(SECTION.global)
  return {
    params: Array.from({ length: functions.u32() }, () => params[functions.u32()]),
    fuel: imported(section(SECTION.import), 3) + globals.u32(),
  }
}

function changed({ id, body }, { params, fuel }) {
  const place = u32(fuel)
  if (id === SECTION.global) return appended(body, [I32, MUTABLE, OP.const, ...I32_MAX, OP.end])
  if (id === SECTION.export) return appended(body, [4, ...Buffer.from('fuel'), 3, ...place])
  if (id !== SECTION.code) return body
  const code = reader(body)
  const count = code.u32()
  const bodies = Array.from({ length: count }, (_, index) => metered(code.take(code.u32()), params[index], place))
  return Buffer.concat([Uint8Array.from(u32(count)), ...bodies])
}

/** The bytes of the module with fuel: 2^31 - 1 until `fuel` is set. */
export function meter(bytes) {
  const known = outline(sectionsOf(bytes))
  return rewritten(bytes, (section) => changed(section, known))
}
