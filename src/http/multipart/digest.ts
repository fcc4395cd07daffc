/**
 * A digest of what a form says: of the names and the bytes of its parts, in order. The boundary does not count, because each client draws a new one
 * when it sends the same form again. It is computed while the bytes arrive, and holds one block of them.
 */
import { sha256, toHex } from '../../shell/hex.ts'
import { joinBytes } from '../../shell/network/chunked-body.ts'

const BLOCK_BYTES = 65_536

export interface FormDigest {
  /** Begins a part. */
  begin(names: readonly string[]): void
  add(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** In hex. */
  whole(): Promise<string>
}

export function formDigest(): FormDigest {
  const parts: (readonly (string | number)[])[] = []
  let names: readonly string[] = []
  let chain = new Uint8Array()
  let [pieces, held, length]: [Uint8Array[], number, number] = [[], 0, 0]
  const link = async (block: Uint8Array) => {
    chain = joinBytes([await sha256(joinBytes([chain, block]))])
  }
  return {
    begin(of) {
      names = of
      chain = new Uint8Array()
      ;[pieces, held, length] = [[], 0, 0]
    },
    async add(bytes) {
      pieces.push(bytes)
      held += bytes.byteLength
      length += bytes.byteLength
      if (held < BLOCK_BYTES) return
      const whole = joinBytes(pieces)
      let from = 0
      for (; held - from >= BLOCK_BYTES; from += BLOCK_BYTES) await link(whole.subarray(from, from + BLOCK_BYTES))
      pieces = [whole.slice(from)]
      held -= from
    },
    async end() {
      await link(joinBytes(pieces))
      parts.push([...names, length, toHex(chain)])
    },
    whole: async () => toHex(await sha256(JSON.stringify(parts))),
  }
}
