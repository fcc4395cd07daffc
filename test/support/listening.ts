/** The TCP ports that a process and its children listen on, as Linux knows them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LISTEN = '0A'

function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return []
    }
  })
}

export interface Listening {
  /** In hex, as the kernel writes it: 0100007F is 127.0.0.1. */
  address: string
  port: number
}

export function listeningPorts(pid: number): Listening[] {
  const own = new Set(familyOf(pid).flatMap(socketsOf))
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/net/${family}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
        const [address = '', port = ''] = local.split(':')
        return state === LISTEN && own.has(inode) ? [{ address, port: Number.parseInt(port, 16) }] : []
      }),
  )
}
