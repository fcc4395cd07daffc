/** Opens a secret for one request to one address, and records its use. A value that is sealed under an older key is sealed under the newest. */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { nameHint, nameList } from '../../core/terms/values/known-names.ts'
import { isUseDue, type StoredSecret } from '../../core/workspace/secrets.ts'
import type { Clock, TaskStore } from '../ports.ts'
import type { Secrets } from '../tool-ports.ts'
import type { SealError, Sealing } from '../seal.ts'
import { mayReceive } from './hosts.ts'

interface RevealPorts {
  store: Pick<TaskStore, 'workspace'>
  sealing: Sealing
  clock: Pick<Clock, 'now_ms'>
}

export function tenantSecrets({ store, sealing, clock }: RevealPorts): Secrets {
  return {
    async reveal(tenant, name, address, locale) {
      const texts = TEXTS[locale]
      const workspace = store.workspace(tenant)
      const stored = await workspace.ask({ kind: 'secret', name })
      if (stored === null) {
        const names = await workspace.ask({ kind: 'secret_names' })
        return refused(texts.unknown(name, nameHint(name, names)))
      }
      // The host is compared before anything is opened.
      if (!mayReceive(stored.hosts, address))
        return refused(texts.other_host(name, address.host, nameList(stored.hosts)))
      const opened = await sealing.open({ tenant, ...stored }, stored)
      if (!opened.ok) return refused(texts[opened.error](name))
      const { value, is_newest } = opened.value
      const resealed = is_newest ? null : await sealing.seal({ tenant, ...stored }, value)
      if (resealed !== null || isUseDue(stored.last_used, clock.now_ms()))
        await workspace.tell({ kind: 'note_secret_use', name, used: sealedPart(stored), resealed })
      return { ok: true, value }
    },
  }
}

const refused = (error: string): Attempt<string, string> => ({ ok: false, error })
const sealedPart = ({ key_id, sealed }: StoredSecret) => ({ key_id, sealed })

type Texts = Record<SealError, (name: string) => string> & {
  unknown(name: string, hint: string): string
  other_host(name: string, host: string, hosts: string): string
}
/** Models and people read these texts. */
const TEXTS: Record<Locale, Texts> = {
  en: {
    unknown: (name, hint) => `there is no secret "${name}"${hint}`,
    other_host: (name, host, hosts) => `the secret "${name}" may not be sent to ${host}, only to ${hosts}`,
    key_is_gone: (name) =>
      `the secret "${name}" was sealed under a SIGNING_SECRET that is not configured any more: put it again`,
    damaged: (name) => `the secret "${name}" cannot be opened as it is stored: put it again`,
  },
  zh: {
    unknown: (name) => `没有名为“${name}”的密钥`,
    other_host: (name, host, hosts) => `密钥“${name}”不可发送到 ${host}，只可发送到 ${hosts}`,
    key_is_gone: (name) => `密钥“${name}”所用的 SIGNING_SECRET 已不在配置中：请重新写入该密钥`,
    damaged: (name) => `密钥“${name}”的存储内容无法解开：请重新写入该密钥`,
  },
}
