/**
 * The default prices of models, for endpoints whose provider is known by its address. Whoever serves requests or holds tasks loads the table,
 * and only where there are endpoints, so that no other start reads it.
 */
import type { DefaultPrices, PriceTable } from '../core/terms/money.ts'
import type { pricesAt } from './price-table.ts'
import type { PricedAddress } from './providers.ts'

let table: typeof pricesAt | null = null

/** Loads the table once, if these prices need it. What is below asks it without waiting. */
export async function loadDefaultPrices({ endpoints = {} }: Pick<PriceTable, 'endpoints'>): Promise<void> {
  if (Object.keys(endpoints).length > 0) table ??= (await import('./price-table.ts')).pricesAt
}

export function defaultPricesOf(address: PricedAddress): DefaultPrices {
  const find = (model: string, now_ms: number) => {
    if (table === null) throw new Error('the default prices are not loaded: loadDefaultPrices() comes first')
    return table(address, model, now_ms)
  }
  return {
    at: (model, now_ms) => find(model, now_ms).find(({ is_now }) => is_now)?.price ?? null,
    from: (model, now_ms) => find(model, now_ms).map(({ price }) => price),
  }
}
