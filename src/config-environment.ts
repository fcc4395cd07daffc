/** Which environment a service is in, and what decided it (U41). */
export type EnvironmentName = 'production' | 'development'
/** What decided the environment: the variable, the presence of keys, or nothing. */
export type EnvironmentReason = 'ENVIRONMENT' | 'API_KEYS' | 'default'

/**
 * Whoever sets keys serves others, so keys without ENVIRONMENT mean production. `fallback` is the environment of a process that has neither
 * variable: `npm start` and `npm run dev` develop then, a deployed Worker never does.
 */
export function chooseEnvironment(
  named: EnvironmentName | undefined,
  api_keys: string | undefined,
  fallback: EnvironmentName = 'production',
): { environment: EnvironmentName; environment_reason: EnvironmentReason } {
  if (named !== undefined) return { environment: named, environment_reason: 'ENVIRONMENT' }
  if (api_keys !== undefined) return { environment: 'production', environment_reason: 'API_KEYS' }
  return { environment: fallback, environment_reason: 'default' }
}
