/** What has been typed as an answer, so that it is not lost when the question is settled by somebody else meanwhile. */

export interface Draft {
  request_id: string
  question: string
  typed: string
  /** `sending`: nobody knows yet whether it is the answer that counts. */
  state: 'typing' | 'sending' | 'sent'
}

/** Under its question, in place of what was there. */
export const kept = (drafts: readonly Draft[], draft: Draft): Draft[] => [
  ...drafts.filter(({ request_id }) => request_id !== draft.request_id),
  draft,
]

/** Those that answer nothing any more: `open` is the request that still does. */
export const stranded = (drafts: readonly Draft[], open: string | null): Draft[] =>
  drafts.filter(({ request_id, state, typed }) => request_id !== open && state === 'typing' && typed.trim() !== '')
