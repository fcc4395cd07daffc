/** Whether the tenant has the secrets that tools name. A call looks again, because a secret may be deleted meanwhile. */
import type { Caller } from '../../shell/caller.ts'
import type { SecretService } from '../../shell/secrets/secret-service.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { secretPlaces, type ToolEntries } from '../shapes/tools/entries.ts'
import { ERRORS_MAX } from './text-safety.ts'

/** null: every secret that the tools name is there. A task that named another one would stop at its first call. */
export async function secretRefusal(
  service: Pick<SecretService, 'unknownSecrets'>,
  caller: Caller,
  tools: ToolEntries,
): Promise<HttpRefusal | null> {
  const places = secretPlaces(tools)
  if (places.length === 0) return null
  const unknown = await service.unknownSecrets(
    caller,
    places.map(({ name }) => name),
  )
  if (!unknown.ok) return unknown.refusal
  const errors = places.flatMap(({ path, name }) => {
    const missing = unknown.value.find((one) => one.name === name)
    if (missing === undefined) return []
    const message = `${path.join('.')} names the secret "${name}", which is not there${missing.hint}; put it with PUT /secrets/${name}`
    return [{ pointer: `/${path.join('/')}`, message }]
  })
  return errors.length === 0 ? null : { code: 'validation_failed', errors: errors.slice(0, ERRORS_MAX) }
}
