/** The module that scripts/lib/price-table.mjs makes. */
declare module 'prices:table' {
  /** JSON. */
  const text: string
  export default text
}
