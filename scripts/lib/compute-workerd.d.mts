/** A process that listens on the loopback for whoever sends its secret. */
export interface Running {
  port: number
  secret: string
  kill(): void
}
export function workerdProcess(config: string): {
  running(): Promise<Running | null>
  stop(): void
}
