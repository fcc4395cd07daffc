/**
 * Changes the language for the code that runs. `eval` and the four constructors of functions are removed, because they make code of a text. Every
 * function leads to one of them (`f.constructor`), so the prototypes are changed and not just the globals.
 */

const PROTOTYPES: object[] = [() => {}, async () => {}, function* () {}, async function* () {}].map(
  (one) => Object.getPrototypeOf(one) as object,
)

function refusal(name: string, prototype?: object) {
  const refuse = function () {
    throw new TypeError(`${name} is not available: code made of a text does not run here`)
  }
  Object.defineProperty(refuse, 'name', { value: name })
  // `f instanceof Function` stays true.
  if (prototype !== undefined) Object.defineProperty(refuse, 'prototype', { value: prototype })
  return refuse
}

export function lock(): void {
  const fixed = { writable: false, enumerable: false, configurable: false }
  const names = ['Function', 'AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction']
  const constructors = PROTOTYPES.map((prototype, place) => {
    const value = refusal(names[place] ?? 'Function', prototype)
    Object.defineProperty(prototype, 'constructor', { ...fixed, value })
    return value
  })
  Object.defineProperty(globalThis, 'Function', { ...fixed, value: constructors[0] })
  // A column, a group or a member may have this name. Without the accessor it is an ordinary name in every object.
  Reflect.deleteProperty(Object.prototype, '__proto__')
  Object.defineProperty(globalThis, 'eval', { ...fixed, value: refusal('eval') })
}

interface NumberFormat {
  minimumFractionDigits?: number
  maximumFractionDigits?: number
  style?: string
}

/** Gives numbers `toLocaleString`: the interpreter has no Intl, and models write thousands with it. The format is always the English one. */
export function groupThousands(): void {
  const value = function (this: number, _locale?: unknown, options: NumberFormat = {}) {
    const percent = options.style === 'percent'
    const number = Number(this) * (percent ? 100 : 1)
    if (!Number.isFinite(number)) return String(number)
    const least = options.minimumFractionDigits ?? 0
    const most = Math.max(least, options.maximumFractionDigits ?? (percent ? 0 : 3))
    const [integer = '', fraction = ''] = Math.abs(number).toFixed(Math.min(most, 20)).split('.')
    const decimals = fraction.replace(/(?<!0)0+$/, '').padEnd(least, '0')
    const grouped = integer.replace(/\B(?=(?:\d{3})+$)/g, ',')
    return `${number < 0 ? '-' : ''}${grouped}${decimals === '' ? '' : `.${decimals}`}${percent ? '%' : ''}`
  }
  const numbers: object = Object.getPrototypeOf(0)
  Object.defineProperty(numbers, 'toLocaleString', { value, writable: true, configurable: true })
}
