/** The tokens that are reserved for an image: no provider counts more. */
import { describe, expect, it } from 'vitest'
import { IMAGE_SIDE_MAX, IMAGE_TOKENS_MAX, imageTokensMax } from '../../../src/core/terms/files/images.ts'

const tokens = (width: number, height: number) => imageTokensMax({ width, height })

/** What providers count, by their public pages (docs/models.md). */
const COUNTS: Record<string, (width: number, height: number) => number> = {
  'Anthropic: pixels by 750, of an image of at most 2,576 pixels a side and 4,784 tokens': (width, height) => {
    const scale = Math.min(1, 2_576 / Math.max(width, height))
    return Math.min(4_784, Math.ceil((width * scale * height * scale) / 750))
  },
  'OpenAI: squares of 32 pixels, at most 2,500, of gpt-5.4-nano': (width, height) =>
    Math.ceil(Math.min(2_500, Math.ceil(width / 32) * Math.ceil(height / 32)) * 2.46),
  'OpenAI: tiles of gpt-4o': (width, height) => {
    const scale = Math.min(1, 2_048 / Math.max(width, height), 768 / Math.min(width, height))
    return 85 + 170 * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
  },
  'OpenAI: tiles of gpt-4o-mini': (width, height) => {
    const scale = Math.min(1, 2_048 / Math.max(width, height), 768 / Math.min(width, height))
    return 2_833 + 5_667 * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
  },
  'Qwen: squares of 28 pixels, at most 16,384': (width, height) =>
    2 + Math.min(16_384, Math.ceil(width / 28) * Math.ceil(height / 28)),
  'Gemini: 258 a tile': (width, height) => {
    const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)))
    return Math.max(width, height) <= 384 ? 258 : 258 * Math.ceil(width / side) * Math.ceil(height / side)
  },
  'xAI: 256 a tile of 448 pixels, at most six': (width, height) =>
    256 * (1 + Math.min(6, Math.ceil(width / 448) * Math.ceil(height / 448))),
  'Mistral: squares of 28 pixels of an image of at most 1,540 pixels a side, with the ends of its rows': (
    width,
    height,
  ) => {
    const scale = Math.min(1, 1_540 / Math.max(width, height))
    const rows = Math.ceil((height * scale) / 28)
    return rows * (Math.ceil((width * scale) / 28) + 1)
  },
}
const SIDES = [1, 16, 28, 29, 256, 384, 385, 512, 513, 640, 768, 1_000, 1_568, 2_048, 2_576, 3_024, 4_032, 8_000]
const SIZES = SIDES.flatMap((width) => SIDES.map((height) => [width, height] as const))

describe('the tokens of an image', () => {
  it.each(Object.keys(COUNTS))('U46 are at least those that are counted by %s', (name) => {
    for (const [width, height] of SIZES)
      expect(tokens(width, height), `${width} × ${height}`).toBeGreaterThanOrEqual(COUNTS[name]?.(width, height) ?? NaN)
  })

  it.each([
    [1, 1, 8_500],
    [512, 512, 8_500],
    [640, 480, 14_167],
    [1_024, 1_024, 25_501],
    [4_032, 3_024, 25_501],
    [2_048, 768, 48_169],
    [8_000, 8_000, 31_218],
  ])('U46 of %s × %s are %s', (width, height, expected) => {
    expect(tokens(width, height)).toBe(expected)
  })

  it('U46 are never more than the most', () => {
    const most = Math.max(...SIZES.map(([width, height]) => tokens(width, height)), tokens(IMAGE_SIDE_MAX, 3_000))
    expect(most).toBe(IMAGE_TOKENS_MAX)
    for (let side = 1; side <= IMAGE_SIDE_MAX; side++)
      for (const other of [1, Math.ceil(side / 3), Math.ceil((side * 3) / 8), side])
        expect(tokens(side, other)).toBeLessThanOrEqual(IMAGE_TOKENS_MAX)
  })
})
