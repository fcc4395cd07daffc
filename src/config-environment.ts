/** Which environment a service is in, and what decided it (U41). */
export type EnvironmentName = 'production' | 'development'
/** Variables that say who may use the service. */
const ACCESS_VARIABLES = ['API_KEYS', 'ADMIN_KEY', 'AUTH_ISSUER'] as const
type AccessVariable = (typeof ACCESS_VARIABLES)[number]
/** What decided the environment: the variable, the presence of keys or of a login, or nothing. */
export type EnvironmentReason = 'ENVIRONMENT' | AccessVariable | 'default'

/**
 * Whoever lets others in serves others, so keys or a login without ENVIRONMENT mean production. `fallback` is the environment of a process that
 * has none of the variables: `npm start` and `npm run dev` develop then, a deployed Worker never does.
 */
export function chooseEnvironment(
  named: EnvironmentName | undefined,
  access: { [name in AccessVariable]?: string | undefined },
  fallback: EnvironmentName = 'production',
): { environment: EnvironmentName; environment_reason: EnvironmentReason } {
  if (named !== undefined) return { environment: named, environment_reason: 'ENVIRONMENT' }
  const given = ACCESS_VARIABLES.find((name) => access[name] !== undefined)
  if (given !== undefined) return { environment: 'production', environment_reason: given }
  return { environment: fallback, environment_reason: 'default' }
}
