export interface StartSettings {
  bindings: Record<string, string>
  environment: 'production' | 'development'
  reason: string
  errors: string[]
  host: string
  port: number
  dataDir: string
  model: string
  keys: string
  keyless: boolean
  hasIndexDatabase: boolean
}
export function readEnvironment(env: Record<string, string | undefined>): StartSettings
