/** A value in a storage of the browser. If the browser forbids the storage, the value stays as long as the page. */

interface StorageSlot {
  read(): string | null
  write(value: string): void
  remove(): void
}

/** `area` is called each time, because reading the name of a forbidden storage throws. */
export function storageSlot(area: () => Storage, name: string): StorageSlot {
  let inMemory: string | null = null
  const attempt = <T>(act: (storage: Storage) => T): T | null => {
    try {
      return act(area())
    } catch {
      return null
    }
  }
  return {
    read: () => attempt((storage) => storage.getItem(name)) ?? inMemory,
    write(value) {
      inMemory = value
      attempt((storage) => storage.setItem(name, value))
    },
    remove() {
      inMemory = null
      attempt((storage) => storage.removeItem(name))
    },
  }
}
