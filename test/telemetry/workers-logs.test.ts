/** What the configurations of the three Workers say of the logs that Cloudflare keeps. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'

it.each(['wrangler.toml', 'wrangler.single.toml', 'wrangler.compute.toml'])(
  'LOG-05 %s keeps the lines of the log, has no lines of the platform with addresses, and bounds what one invocation computes',
  (name) => {
    const { observability, limits } = unstable_readConfig({ config: join(process.cwd(), name) })
    expect(observability).toEqual({
      enabled: true,
      head_sampling_rate: 1,
      redact_query_string: true,
      logs: { enabled: true, head_sampling_rate: 1, invocation_logs: false, persist: true },
    })
    expect(limits).toEqual({ cpu_ms: 30_000 })
  },
)
