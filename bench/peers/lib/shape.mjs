/** What is measured of everybody: short tasks in two shapes, and stretches of a long one. */
export const ITEMS = 5
export const SHAPES = [
  { name: 'step', title: 'a request per step', whole: false },
  { name: 'task', title: 'the task in one request', whole: true },
]
export const CONCURRENCIES = [1, 16]
/** Ops of a long task, and the stretches of it that are measured, both ends counted, the plan not. */
export const LONG_OPS = 200
export const STRETCHES = [
  { name: '21–40', from: 21, to: 40 },
  { name: '181–200', from: 181, to: 200 },
]
