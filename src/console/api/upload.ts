/** A request whose body is told about as it goes out: `fetch` cannot say how much of it did. Answers and fails as `fetch` does. */

export interface AskInit extends RequestInit {
  method: string
  headers: Headers
  body: string | File | null
}

export function upload(path: string, init: AskInit, sent: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method, path)
    init.headers.forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) sent(loaded / total)
    })
    request.addEventListener('error', () => reject(new Error('no answer')))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      // No body may stand in a Response of these.
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
