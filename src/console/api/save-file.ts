/** Saves bytes as a file. Its type is one that no browser shows, because a text of a model must not become a page of this origin. */

const REVOKE_MS = 60_000

export function saveFile(content: BlobPart, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin the download some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}
