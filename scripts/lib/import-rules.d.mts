export function mayImport(file: string, target: string, is_type: boolean): boolean
export function mayImportPackage(file: string, name: string): boolean
export function withoutRow(files: readonly string[]): string[]
