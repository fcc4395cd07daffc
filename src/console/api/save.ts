/** Hands bytes to the reader as a file. Never under a type that a browser would show: what a model wrote is no page of this origin. */

const KEPT_MS = 60_000

export function save(content: BlobPart, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin the download well after the click.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
