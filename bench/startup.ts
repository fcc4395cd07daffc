/** What a start costs: the time of a fresh process until its first answer, which makes the application and calls no model. */
import { join } from 'node:path'
import { openConnection } from './client.ts'
import { cpuOf_ms } from './machine.ts'
import { serve } from './servers.ts'
import { HEADERS } from './tasks.ts'

export interface StartedBundle {
  directory: string
  bindings: Record<string, string>
}
/** CPU in ms, of each start. */
export type Startup = Record<'service' | 'json', number[]>

/** In turn, so that what the machine does meanwhile falls on all. */
export async function startup<Name extends string>(
  bundles: Record<Name, StartedBundle>,
  place: string,
  core: number | null,
  times: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(bundles) as Name[] // keys of the record
  const spent = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let time = 0; time < times; time++) {
    for (const name of names) {
      const { directory, bindings } = bundles[name]
      const server = await serve(
        directory,
        join(place, `start-${name}-${time}`),
        bindings,
        core === null ? {} : { core },
      )
      const connection = await openConnection(server.port, HEADERS)
      const { status } = await connection.get('/health')
      const cpu_ms = cpuOf_ms(server.pid)
      connection.close()
      await server.stop()
      if (status !== 200) throw new Error(`${name} started and answered ${status}`)
      if (cpu_ms !== null) spent[name].push(cpu_ms)
    }
  }
  return spent
}
