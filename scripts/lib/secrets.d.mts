export function withSecrets(bindings: Record<string, string>, dataDir: string): Record<string, string>
