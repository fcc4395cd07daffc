/** A storage of the browser that may be forbidden: then what is kept lives as long as the page, and nothing else is different. */

export interface Kept {
  read(): string | null
  write(value: string): void
  remove(): void
}

/** `area` is asked for each time: reading the name alone throws where it is forbidden. */
export function keptIn(area: () => Storage, name: string): Kept {
  let here: string | null = null
  const attempt = <T>(act: (storage: Storage) => T): T | null => {
    try {
      return act(area())
    } catch {
      return null
    }
  }
  return {
    read: () => attempt((storage) => storage.getItem(name)) ?? here,
    write(value) {
      here = value
      attempt((storage) => storage.setItem(name, value))
    },
    remove() {
      here = null
      attempt((storage) => storage.removeItem(name))
    },
  }
}
