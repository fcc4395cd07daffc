/** The agent of agent.mjs as the test sees it. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What an agent process has said, one after the other. */
export interface Agent {
  next(did: string): Promise<Record<string, unknown>>
  goOn(): void
  end(): Promise<void>
}

export async function startAgent(dir: string, manner = ''): Promise<Agent> {
  const child: ChildProcess = fork('test/bridge/agent.mjs', [dir, manner], { stdio: 'inherit', execArgv: [] })
  const said: Record<string, unknown>[] = []
  // What its channel carries is what agent.mjs sends.
  child.on('message', (message) => said.push(message as Record<string, unknown>))
  const next = async (did: string) => {
    for (;;) {
      const found = said.findIndex((one) => one['did'] === did)
      if (found >= 0) return said.splice(found, 1)[0] ?? {}
      await once(child, 'message')
    }
  }
  await next('started')
  return {
    next,
    goOn: () => child.send('on'),
    end: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
