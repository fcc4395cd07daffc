/** Counts the terms of an arithmetic progression in a band of residues. The time is logarithmic, so any series can be compared. */

const div = (a: bigint, b: bigint) => (a >= 0n ? a / b : -((b - 1n - a) / b))

/** Σ floor((step × i + offset) / modulus) for i = 0 … count − 1, like Euclid's algorithm. Step and offset are not negative. */
function floorSum(count: bigint, modulus: bigint, step: bigint, offset: bigint): bigint {
  let [n, m, a, b, sum] = [count, modulus, step, offset, 0n]
  for (;;) {
    sum += (n * (n - 1n) * (a / m)) / 2n + n * (b / m)
    a %= m
    b %= m
    const top = a * n + b
    if (top < m) return sum
    // The lattice points under the line are counted along the other axis from here on.
    n = top / m
    b = top % m
    const previous = a
    a = m
    m = previous
  }
}

/**
 * Counts the i in 0 … count − 1 with (first + i × step) mod modulus < band. 0 ≤ band ≤ modulus, and step and modulus are ≥ 1.
 * It computes with big integers, because the products of two long series are beyond what a double holds exactly.
 */
export function termsInBand(count: number, first: number, step: number, modulus: number, band: number): number {
  if (count <= 0) return 0
  const [n, m, a] = [BigInt(count), BigInt(modulus), BigInt(step)]
  const upper = BigInt(first)
  const lower = upper - BigInt(band)
  // floor(x / m) − floor((x − band) / m) is 1 exactly if x mod m < band. Both offsets are lifted so that none is negative.
  const lift = lower < 0n ? -div(lower, m) : 0n
  return Number(floorSum(n, m, a, upper + lift * m) - floorSum(n, m, a, lower + lift * m))
}
