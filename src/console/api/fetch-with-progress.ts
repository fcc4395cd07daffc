/** Sends a request and reports how much of its body is sent, which `fetch` cannot. It answers and fails as `fetch` does. */

export interface FetchInit extends RequestInit {
  method: string
  headers: Headers
  body: string | File | null
}

export function fetchWithProgress(
  path: string,
  init: FetchInit,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method, path)
    init.headers.forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    })
    request.addEventListener('error', () => reject(new Error('no answer')))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      // A Response with one of these statuses must not have a body.
      const body = status === 204 || status === 304 ? null : responseText
      resolve(new Response(body, { status, headers: headersOf(request.getAllResponseHeaders()) }))
    })
    request.send(init.body)
  })
}

const headersOf = (text: string) =>
  new Headers(
    text
      .trim()
      .split(/\r?\n/)
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
      .filter(([name]) => name !== ''),
  )
