/** The reference server of MCP, which others have written, as a process of its own on a port of this machine. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface EverythingServer {
  url: string
  stop(): void
}

export async function startEverything(): Promise<EverythingServer> {
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAM, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server ended')))
    child.stderr.on('data', (words: Buffer) => {
      if (words.toString().includes('listening on port')) resolve()
    })
  })
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => void child.kill() }
}
