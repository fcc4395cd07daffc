/** The ids of tasks: random, or derived from the key of the request that makes the task (U6). */
import { toHex } from './hex.ts'
import type { TaskStore } from './ports.ts'

/**
 * The id that a task made under this key has. While a secret is being replaced, a task that was made under the older one is found by its
 * older id, so that a repeated create makes no second task.
 */
export async function keyedTaskId(
  secrets: readonly string[],
  store: TaskStore,
  tenant: string,
  key: string,
): Promise<string> {
  const [newest, ...older] = await Promise.all(secrets.map((secret) => taskIdOf(secret, tenant, key)))
  if (newest === undefined) throw new Error('no id can be derived without SIGNING_SECRET')
  for (const id of older) {
    const task = await store.of(tenant, `task_${id}`).ask({ kind: 'view' })
    if (task.ok || task.refusal.code !== 'task_not_found') return id
  }
  return newest
}

/** 128 bits of an HMAC: unguessable without the secret, the same for the same tenant and key (U6). */
async function taskIdOf(secret: string, tenant: string, key: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const signer = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', signer, new TextEncoder().encode(JSON.stringify([tenant, key])))
  return toHex(new Uint8Array(signed).slice(0, 16))
}

/** 128 random bits, URL-safe. */
export function randomId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}
