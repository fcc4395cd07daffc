export interface Import {
  to: string
  is_type: boolean
  names: string[] | null
}
export function importsIn(text: string): Import[]
