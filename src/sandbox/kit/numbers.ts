/** `toLocaleString` of numbers: the interpreter has no Intl, and models write thousands with it. Always as in English. */

interface Options {
  minimumFractionDigits?: number
  maximumFractionDigits?: number
  style?: string
}

export function groupThousands(): void {
  const value = function (this: number, _locale?: unknown, options: Options = {}) {
    const percent = options.style === 'percent'
    const number = Number(this) * (percent ? 100 : 1)
    if (!Number.isFinite(number)) return String(number)
    const least = options.minimumFractionDigits ?? 0
    const most = Math.max(least, options.maximumFractionDigits ?? (percent ? 0 : 3))
    const [whole = '', fraction = ''] = Math.abs(number).toFixed(Math.min(most, 20)).split('.')
    const kept = fraction.replace(/(?<!0)0+$/, '').padEnd(least, '0')
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
    return `${number < 0 ? '-' : ''}${grouped}${kept === '' ? '' : `.${kept}`}${percent ? '%' : ''}`
  }
  const numbers: object = Object.getPrototypeOf(0)
  Object.defineProperty(numbers, 'toLocaleString', { value, writable: true, configurable: true })
}
