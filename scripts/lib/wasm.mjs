/** WebAssembly modules as bytes: read section by section and instruction by instruction, and written again. */
export const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 }

/** Reads LEB128 and blocks of bytes from front to back. */
export function reader(bytes) {
  let at = 0
  const byte = () => bytes[at++]
  const advance = (count) => (at += count)
  function u32() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte()
      value += (next & 0x7f) * 2 ** shift
      if (next < 0x80) return value
    }
  }
  /** The number may have any width and sign, because only its end matters. */
  const leb = () => {
    while (byte() >= 0x80);
  }
  const take = (count) => bytes.subarray(at, advance(count))
  return { byte, advance, u32, leb, take, at: () => at, done: () => at >= bytes.length }
}

export function u32(value) {
  const out = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...out, left]
    out.push((left % 128) | 0x80)
  }
}
export const sized = (parts) => {
  const body = Buffer.concat(parts.map((part) => Uint8Array.from(part)))
  return Buffer.concat([Uint8Array.from(u32(body.length)), body])
}

/** The number of LEB128 immediates of each instruction; instructions with other immediates are in `immediates`. */
function lebsOf(op) {
  if (op === 0x02 || op === 0x03 || op === 0x04 || op === 0x0c || op === 0x0d || op === 0x10) return 1
  if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) return 2
  if ((op >= 0x20 && op <= 0x26) || (op >= 0x3f && op <= 0x42) || op === 0xd0 || op === 0xd2) return 1
  const plain = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1]
  if (plain.includes(op) || (op >= 0x45 && op <= 0xc4)) return 0
  throw new Error(`instruction 0x${op.toString(16)} is not known here`)
}

/** The same for instructions after the prefix 0xfc: rounding 0 to 7, then memory.init, data.drop, memory.copy, memory.fill. */
const BULK_LEBS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1]

/** Skips one instruction, and returns its second byte if it has one. */
export function pass(code, op) {
  if (op === 0x43) code.advance(4)
  else if (op === 0x44) code.advance(8)
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

export function sectionsOf(bytes) {
  const module = reader(bytes)
  module.advance(8)
  const sections = []
  while (!module.done()) {
    const id = module.byte()
    sections.push({ id, body: module.take(module.u32()) })
  }
  return sections
}

/** The types of functions, each as the bytes of its parameters and results. */
export const typesOf = (types) =>
  Array.from({ length: types.u32() }, () => {
    types.advance(1)
    return { params: [...types.take(types.u32())], results: [...types.take(types.u32())] }
  })

/** The number of imports of a kind: 0 for functions, 3 for globals. */
export function imported(imports, wanted) {
  let count = 0
  for (let left = imports.u32(); left > 0; left--) {
    imports.advance(imports.u32())
    imports.advance(imports.u32())
    const kind = imports.byte()
    if (kind === wanted) count += 1
    if (kind === 0) imports.leb()
    else if (kind === 3) imports.advance(2)
    else {
      if (kind === 1) imports.advance(1)
      const limits = imports.byte()
      imports.leb()
      if (limits & 1) imports.leb()
    }
  }
  return count
}

/** A section with one more member. */
export function appended(body, member) {
  const old = reader(body)
  const count = old.u32()
  return Buffer.concat([Uint8Array.from(u32(count + 1)), body.subarray(old.at()), Uint8Array.from(member)])
}

/** The module with the body of each section replaced by the result of `changed`. */
export function rewritten(bytes, changed) {
  const written = sectionsOf(bytes).map((section) =>
    Buffer.concat([Uint8Array.of(section.id), sized([changed(section)])]),
  )
  return Buffer.concat([bytes.subarray(0, 8), ...written])
}
