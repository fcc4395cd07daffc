/** Hands bytes to the reader as a file. Never under a type that a browser would show: what a model wrote is no page of this origin. */

export function save(content: BlobPart, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun with the click; the address is not needed any more.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
