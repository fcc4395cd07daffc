export function modelName(items: number): string
export function startModel(): Promise<{ origin: string; calls(): number; close(): Promise<unknown> }>
