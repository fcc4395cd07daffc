/** Types of spent.mjs for the tests. */
export interface Spent {
  tokens?: number
  cost_usd?: string
  seconds?: number
}
export function measured(budget: { seconds: number | null }, took_ms: number): Spent
export function statedIn(text: string): { ok: true; spent: Spent } | { ok: false; reason: string }
export function withSpent(markdown: string, spent: Spent): string | null
