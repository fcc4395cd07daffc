/**
 * A page after its scripts have run, from Cloudflare's browser binding (quick action `content`). It is asked only for pages that show nothing
 * without a browser, because a browser costs seconds and money.
 */
import * as z from 'zod'
import { withDeadline } from '../../shell/network/bounded-fetch.ts'
import { readWhole } from '../../shell/network/read-whole.ts'

/** The part of the binding that is used. */
export interface BrowserBinding {
  quickAction(
    action: 'content',
    options: {
      url: string
      gotoOptions: { waitUntil: 'networkidle2'; timeout: number }
      rejectResourceTypes: ('image' | 'media' | 'font')[]
    },
  ): Promise<Response>
}

const Rendered = z.object({ success: z.literal(true), result: z.string() })
const ANSWER_BYTES_MAX = 4_194_304
const TIMEOUT_MS_MAX = 20_000

/** Never rejects. null: the browser is busy or failed, or the page is larger than what is read. */
export const renderedPage =
  (browser: BrowserBinding) =>
  (url: string, rest_ms: number): Promise<string | null> => {
    const timeout = Math.min(TIMEOUT_MS_MAX, Math.floor(rest_ms))
    return withDeadline(timeout, null, async () => {
      try {
        const response = await browser.quickAction('content', {
          url,
          gotoOptions: { waitUntil: 'networkidle2', timeout },
          rejectResourceTypes: ['image', 'media', 'font'],
        })
        const bytes = await readWhole(response, ANSWER_BYTES_MAX)
        if (!response.ok || bytes === null) return null
        return Rendered.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data?.result ?? null
      } catch {
        return null
      }
    })
  }
