/** What the service tells of its work: the level of its log, who may read its metrics, and how many tenants they name. */
import * as z from 'zod'
import type { EnvironmentName } from './config-environment.ts'
import { LOG_LEVELS, type LogLevel } from './telemetry/log.ts'

export interface TelemetryConfig {
  log_level: LogLevel
  /** Opens GET /metrics and nothing else; null: it is not set. */
  metrics_token: string | null
  /** How many tenants have series of their own; all others are counted together. 0: none has. */
  metrics_tenants: number
}

/** Each tenant has a series of each metric by tenant. */
const TENANTS_MAX = 1_000
const TOKEN_CHARS_MIN = 16

export const TELEMETRY_VARIABLES = {
  LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9._~+/=-]{${TOKEN_CHARS_MIN},512}$`),
      `must have ${TOKEN_CHARS_MIN} to 512 of the characters A-Z a-z 0-9 . _ ~ + / = -; make one with: openssl rand -base64 32`,
    )
    .optional(),
  METRICS_TENANTS: z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 0 to ${TENANTS_MAX}`)
    .transform(Number)
    .pipe(z.int().max(TENANTS_MAX, `must be a whole number from 0 to ${TENANTS_MAX}`))
    .default(0),
}

/** In development the lines that people read must not drown in those of requests. */
export const telemetryOf = (
  {
    LOG_LEVEL,
    METRICS_TOKEN,
    METRICS_TENANTS,
  }: { LOG_LEVEL?: LogLevel | undefined; METRICS_TOKEN?: string | undefined; METRICS_TENANTS: number },
  environment: EnvironmentName,
): TelemetryConfig => ({
  log_level: LOG_LEVEL ?? (environment === 'production' ? 'info' : 'warn'),
  metrics_token: METRICS_TOKEN ?? null,
  metrics_tenants: METRICS_TENANTS,
})
