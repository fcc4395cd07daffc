/**
 * Images that models are shown. A row and a prompt hold a reference to the bytes and never the bytes themselves, so that a prompt stays a
 * function of the journal.
 */
import * as z from 'zod'
import { endingOf } from './file-types.ts'

/** The types that all providers read. */
export const ImageType = z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
export type ImageType = z.infer<typeof ImageType>

const TYPE_BY_ENDING: ReadonlyMap<string, ImageType> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
])

/** The type of image that a name promises. null: it promises no image that models are shown. */
export const imageTypeOf = (name: string): ImageType | null => TYPE_BY_ENDING.get(endingOf(name)) ?? null

/** Providers refuse an image with a longer side. */
export const IMAGE_SIDE_MAX = 8_000

/** An image as a result of a tool names it. The digest says which bytes were seen, also after another file has taken the name. */
export const ImageRef = z.object({
  name: z.string(),
  media_type: ImageType,
  width: z.int().min(1).max(IMAGE_SIDE_MAX),
  height: z.int().min(1).max(IMAGE_SIDE_MAX),
  bytes: z.int().min(1),
  /** SHA-256 of the bytes, in hexadecimal digits. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
})
export type ImageRef = z.infer<typeof ImageRef>

/** At most so many images are shown in one request, and so many bytes of them: the newest ones. One image alone is never larger. */
export const IMAGES_MAX = 4
export const SHOWN_BYTES_MAX = 8 * 1024 * 1024

/** OpenAI fits an image into this square and shrinks its shorter side, before it counts tiles. Its dearest model is gpt-4o-mini. */
const OPENAI = { box: 2_048, short_side: 768, tile: 512, base: 2_833, per_tile: 5_667 }
/** Gemini counts tiles, whose side follows from the shorter side of the image within these bounds. */
const GEMINI = { tile_min: 256, tile_max: 768, per_tile: 258 }

/** The most tokens that any known provider counts for an image (docs/models.md "Images"). All others count less than these two. */
export function imageTokensMax({ width, height }: Pick<ImageRef, 'width' | 'height'>): number {
  return Math.max(openaiTokens(width, height), geminiTokens(width, height))
}

/** The most tokens of an image of any size. One of 8,000 by 3,000 pixels takes all eight tiles of OpenAI. */
export const IMAGE_TOKENS_MAX = OPENAI.base + 8 * OPENAI.per_tile

function openaiTokens(width: number, height: number): number {
  const { box, short_side, tile, base, per_tile } = OPENAI
  const fitted = Math.min(1, box / Math.max(width, height))
  const scale = Math.min(fitted, short_side / Math.min(width, height))
  // A side that is a fraction of a pixel longer takes a pixel more, but not for an error of the multiplication.
  const scaled = (side: number): number => Math.ceil(side * scale - 1e-6)
  return base + per_tile * squares(scaled(width), scaled(height), tile)
}

function geminiTokens(width: number, height: number): number {
  const { tile_min, tile_max, per_tile } = GEMINI
  const side = Math.min(tile_max, Math.max(tile_min, Math.floor(Math.min(width, height) / 1.5)))
  return per_tile * squares(width, height, side)
}

/** How many squares cover an area. */
const squares = (width: number, height: number, side: number): number =>
  Math.ceil(width / side) * Math.ceil(height / side)
