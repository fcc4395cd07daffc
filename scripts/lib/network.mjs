/**
 * The networks of `npm start` in production. What the service sends leaves through a Worker whose network reaches public addresses only,
 * judged by workerd after name resolution and before it connects. Hosts that the operator names leave by the other network
 * (src/shell/network/networks.ts decides). In development there is Miniflare's own network, which reaches this machine too.
 */
import { readFileSync } from 'node:fs'

/** Addresses that lead inside although workerd counts them as public: IPv4 addresses written into IPv6 ones, and reserved blocks. */
const DENIED = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/104',
  '64:ff9b::a00:0/104',
  '64:ff9b::6440:0/106',
  '64:ff9b::7f00:0/104',
  '64:ff9b::a9fe:0/112',
  '64:ff9b::ac10:0/108',
  '64:ff9b::c0a8:0/112',
  '64:ff9b:1::/48',
  '2002::/16',
  'fec0::/10',
]

/** The name under which the service finds the unbounded network (src/index.ts). */
const UNBOUNDED = 'UNBOUNDED_NETWORK'
const EGRESS = 'egress'
const SCRIPT = 'export default { fetch: (request, env) => env.NETWORK.fetch(request) }'

const network = (allow, deny) => ({
  network: { allow, deny, tlsOptions: { trustBrowserCas: true, trustedCertificates: extraCertificates() } },
})
const publicNetwork = () => network(['public'], DENIED)
const unboundedNetwork = () => network(['public', 'private'], [])

/** What is laid over the service's Worker, and the Workers beside it. */
export function networksFor(environment, compatibilityDate) {
  if (environment !== 'production') return { service: {}, serviceBindings: {}, workers: [] }
  const egress = { name: EGRESS, compatibilityDate, modules: true, script: SCRIPT }
  return {
    service: { outboundService: EGRESS },
    serviceBindings: { [UNBOUNDED]: unboundedNetwork() },
    workers: [{ ...egress, serviceBindings: { NETWORK: publicNetwork() } }],
  }
}

/** Authorities that Node trusts beside its own are trusted here too, as they are in Miniflare's own network. */
function extraCertificates() {
  const path = process.env.NODE_EXTRA_CA_CERTS
  if (path === undefined) return []
  try {
    return readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  } catch {
    return []
  }
}
