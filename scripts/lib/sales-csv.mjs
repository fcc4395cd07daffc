/**
 * Sales of a shop that does not exist, as CSV: three years of orders with growth, seasons, weekends, regions that differ, products with
 * prices that rise, and a few cells that are missing. The same seed gives the same bytes.
 */
import { randomOf } from './random.mjs'

export const SALES_COLUMNS = ['order_id', 'date', 'region', 'product', 'quantity', 'price', 'amount']

const REGIONS = [
  ['North', 30],
  ['South', 22],
  ['East', 18],
  ['West', 16],
  ['Central', 14],
]
/** Name, weight, list price of the first year. */
const PRODUCTS = [
  ['Notebook', 26, 4.5],
  ['Backpack', 9, 49],
  ['Desk lamp', 12, 34.9],
  ['Headphones', 14, 79],
  ['Keyboard', 11, 59.5],
  ['Monitor', 5, 229],
  ['Water bottle', 15, 18.9],
  ['Office chair', 8, 149],
]
const FIRST_DAY = Date.UTC(2022, 0, 1)
const DAYS = 1_096
const DAY_MS = 86_400_000
/** Growth in a year, and what each month sells against the mean of a year. */
const GROWTH = 0.12
const SEASONS = [0.82, 0.84, 0.95, 0.98, 1.0, 0.97, 0.9, 0.98, 1.04, 1.05, 1.22, 1.35]
const WEEKEND = 0.7
const PRICE_GROWTH = 0.04
/** Shares of cells that are missing. */
const NO_REGION = 0.004
const NO_PRICE = 0.006
const BULK_ORDERS = 0.003

/** Lines without their ends, the header first. */
export function* salesLines({ rows = 100_000, seed = 20_260_101 } = {}) {
  const random = randomOf(seed)
  const days = shares(Array.from({ length: DAYS }, (_, day) => demandOn(day)))
  yield SALES_COLUMNS.join(',')
  for (let order = 1; order <= rows; order++) {
    // The rows are in the order of time, as in a real shop.
    const day = placeOf(days, (order - 1 + random.below(1_000) / 1_000) / rows)
    yield orderOn(day, 100_000 + order, random).join(',')
  }
}

export const salesCsv = (options) => `${[...salesLines(options)].join('\n')}\n`

function orderOn(day, id, random) {
  const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10)
  const [region] = weighted(REGIONS, random)
  const [product, , list] = weighted(PRODUCTS, random)
  const price = (list * (1 + PRICE_GROWTH) ** Math.floor(day / 365.25) * (90 + random.below(16))) / 100
  const quantity = random.chance(BULK_ORDERS) ? 20 + random.below(60) : 1 + Math.min(random.below(6), random.below(6))
  const known = !random.chance(NO_PRICE)
  return [
    id,
    date,
    random.chance(NO_REGION) ? '' : region,
    product,
    quantity,
    known ? price.toFixed(2) : '',
    known ? (Number(price.toFixed(2)) * quantity).toFixed(2) : '',
  ]
}

function demandOn(day) {
  const date = new Date(FIRST_DAY + day * DAY_MS)
  const weekend = date.getUTCDay() % 6 === 0 ? WEEKEND : 1
  return SEASONS[date.getUTCMonth()] * weekend * (1 + GROWTH) ** (day / 365.25)
}

/** Up to and with each day, of all demand. */
function shares(demand) {
  const all = demand.reduce((sum, one) => sum + one, 0)
  let sum = 0
  return demand.map((one) => (sum += one) / all)
}

function placeOf(cumulated, share) {
  let [low, high] = [0, cumulated.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (cumulated[middle] < share) low = middle + 1
    else high = middle
  }
  return low
}

function weighted(list, random) {
  let left = random.below(list.reduce((sum, [, weight]) => sum + weight, 0))
  return list.find(([, weight]) => (left -= weight) < 0) ?? list[0]
}
