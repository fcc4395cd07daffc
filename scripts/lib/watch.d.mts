export function whyUntied(machine: {
  platform: string
  env: Record<string, string | undefined>
  works: (command: string, args: readonly string[]) => boolean
}): string | null
export function portWarning(reason: string): string
