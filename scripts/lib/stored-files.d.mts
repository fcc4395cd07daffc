export function storedFiles(dataDir: string, objects: string): (request: Request) => Promise<Response>
export function forgetDamaged(dataDir: string, now_ms?: number): void
