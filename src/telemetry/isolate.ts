/**
 * The log of this isolate. It is in module scope because objects and the compute Worker, which have no ports, write to it too. This is the
 * only file of the service that writes to the console (LOG-06).
 */
import { jsonLog, type Log, type LogLevel, type LogLine } from './log.ts'

/** Before a configuration is read, only what is wrong is shown. */
let shown: LogLevel = 'warn'
let listener: (event: LogLine['event']) => void = () => {}

export const isolateLog: Log = jsonLog({
  level: () => shown,
  now_ms: () => Date.now(),
  // Workers Logs takes the level of a line from the method.
  print: (level, text) => console[level](text),
  onError: (event) => listener(event),
})

export function setLogLevel(level: LogLevel): void {
  shown = level
}

/** The listener hears of each line at level error from now on, in place of the one before. */
export function onErrorLine(listen: (event: LogLine['event']) => void): void {
  listener = listen
}
