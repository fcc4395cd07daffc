/** Replaces `local.ts` in the bundle of the API. Without its compute Worker it computes nothing and says so. */
import type { Compute, OpenFile } from '../shell/ports.ts'
import { COMPUTE_WORDS } from './words.ts'

export const has_local_compute: boolean = false
export const localCompute: Compute = {
  datasets: {
    async report({ dataset, locale }) {
      await discard(dataset)
      return { ok: false, code: 'compute_failed', text: COMPUTE_WORDS[locale].absent }
    },
  },
  pages: {
    async report({ source, locale }) {
      await discard(source)
      return { ok: false, code: 'compute_failed', text: COMPUTE_WORDS[locale].absent }
    },
  },
  code: {
    async run({ dataset, locale }) {
      await discard(dataset)
      return { ok: false, stdout: '', stderr: COMPUTE_WORDS[locale].absent, results: null, charts: [] }
    },
  },
}

const discard = (file: OpenFile | null) => file?.body.cancel().catch(() => undefined)
