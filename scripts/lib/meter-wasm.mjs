/**
 * Puts fuel into a WebAssembly module: each function entered and each turn of a loop takes 1 from an exported global `fuel`, bytes copied
 * and filled in one go take theirs, and below 0 the module traps. So a bound holds for everything that runs in it – also for what an
 * interpreter does in one step, such as a search through a long text – and is the same number on every machine.
 */
const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 }
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
/** 2^6 bytes for one unit, about what a turn of a loop takes. */
const BYTES_SHIFT = 6

/** Reads LEB128 and blocks of bytes from front to back. */
function reader(bytes) {
  let at = 0
  const byte = () => bytes[at++]
  const skip = (count) => (at += count)
  function u32() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte()
      value += (next & 0x7f) * 2 ** shift
      if (next < 0x80) return value
    }
  }
  /** Of any width and sign: only its end matters. */
  const leb = () => {
    while (byte() >= 0x80);
  }
  const take = (count) => bytes.subarray(at, skip(count))
  return { byte, skip, u32, leb, take, at: () => at, done: () => at >= bytes.length }
}

function u32(value) {
  const out = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...out, left]
    out.push((left % 128) | 0x80)
  }
}
const sized = (parts) => {
  const body = Buffer.concat(parts.map((part) => Uint8Array.from(part)))
  return Buffer.concat([Uint8Array.from(u32(body.length)), body])
}

/** How many immediates an instruction has, each a LEB128; those that are not so are in `immediates`. */
function lebsOf(op) {
  if (op === 0x02 || op === 0x03 || op === 0x04 || op === 0x0c || op === 0x0d || op === 0x10) return 1
  if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) return 2
  if ((op >= 0x20 && op <= 0x26) || (op >= 0x3f && op <= 0x42) || op === 0xd0 || op === 0xd2) return 1
  const plain = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1]
  if (plain.includes(op) || (op >= 0x45 && op <= 0xc4)) return 0
  throw new Error(`instruction 0x${op.toString(16)} is not known here`)
}

/** Of those behind 0xfc: rounding 0 to 7, then memory.init, data.drop, memory.copy, memory.fill. */
const BULK_LEBS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1]

/** Passes over one instruction; answers its second byte where it has one. */
function pass(code, op) {
  if (op === 0x43) code.skip(4)
  else if (op === 0x44) code.skip(8)
  else if (op === 0x0e || op === 0x1c) for (let left = code.u32() + (op === 0x0e ? 1 : 0); left > 0; left--) code.leb()
  else if (op === 0xfc) {
    const second = code.u32()
    const lebs = BULK_LEBS[second]
    if (lebs === undefined) throw new Error(`instruction 0xfc ${second} is not known here`)
    for (let left = lebs; left > 0; left--) code.leb()
    return second
  } else for (let left = lebsOf(op); left > 0; left--) code.leb()
  return null
}

const TRAP_BELOW_0 = (fuel) => [OP.get, ...fuel, OP.const, 0, OP.less, OP.if, NO_RESULT, OP.unreachable, OP.end]
const TAKE_1 = (fuel) => [OP.get, ...fuel, OP.const, 1, OP.sub, OP.set, ...fuel, ...TRAP_BELOW_0(fuel)]
/** With the number of bytes on the stack, where it stays. */
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

/** A function with its fuel in it; `params` is how many locals come before its own. */
function metered(bytes, params, fuel) {
  const code = reader(bytes)
  let locals = params
  const groups = code.u32()
  const groupsAt = code.at()
  for (let left = groups; left > 0; left--) {
    locals += code.u32()
    code.skip(1)
  }
  const own = bytes.subarray(groupsAt, code.at())
  // One more local, for how many bytes are copied.
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

function sectionsOf(bytes) {
  const module = reader(bytes)
  module.skip(8)
  const sections = []
  while (!module.done()) {
    const id = module.byte()
    sections.push({ id, body: module.take(module.u32()) })
  }
  return sections
}

/** What of a module the functions in it need: how many parameters each has, and the place of the new global. */
function outline(sections) {
  const section = (id) => reader(sections.find((one) => one.id === id)?.body ?? Uint8Array.of(0))
  const types = section(SECTION.type)
  const params = Array.from({ length: types.u32() }, () => {
    types.skip(1)
    const count = types.u32()
    types.skip(count)
    types.skip(types.u32())
    return count
  })
  const functions = section(SECTION.function)
  const globals = section(SECTION.global)
  return {
    params: Array.from({ length: functions.u32() }, () => params[functions.u32()]),
    fuel: globalsImported(section(SECTION.import)) + globals.u32(),
  }
}

function globalsImported(imports) {
  let count = 0
  for (let left = imports.u32(); left > 0; left--) {
    imports.skip(imports.u32())
    imports.skip(imports.u32())
    const kind = imports.byte()
    if (kind === 0) imports.leb()
    else if (kind === 3) {
      imports.skip(2)
      count += 1
    } else {
      if (kind === 1) imports.skip(1)
      const limits = imports.byte()
      imports.leb()
      if (limits & 1) imports.leb()
    }
  }
  return count
}

/** A section with one member more. */
function appended(body, member) {
  const old = reader(body)
  const count = old.u32()
  return Buffer.concat([Uint8Array.from(u32(count + 1)), body.subarray(old.at()), Uint8Array.from(member)])
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
  const sections = sectionsOf(bytes)
  const known = outline(sections)
  const written = sections.map((section) =>
    Buffer.concat([Uint8Array.of(section.id), sized([changed(section, known)])]),
  )
  return Buffer.concat([bytes.subarray(0, 8), ...written])
}
