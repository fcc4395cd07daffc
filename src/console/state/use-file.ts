/** Reads a file from the service. After a failure it can be read again. */
import { useEffect, useState } from 'preact/hooks'
import { useClient } from './session.tsx'
import type { Resource } from './use-resource.ts'

const READING = { value: null, problem: null, loading: true }
const READ = { ...READING, loading: false }

/** A problem stays until the next answer. `headers` choose the form of the file and have to stay the same object. */
export function useFile(path: string, headers?: Record<string, string>): Resource<Blob> {
  const client = useClient()
  const [state, setState] = useState<Omit<Resource<Blob>, 'refresh'>>(READING)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const answer = await client.fetchFile(path, headers)
      if (isGone) return
      setState(answer.ok ? { ...READ, value: answer.value } : { ...READ, problem: answer.problem })
    }
    setState((before) => ({ ...READING, problem: before.problem }))
    void read()
    return () => {
      isGone = true
    }
  }, [client, path, headers, attempt])
  return { ...state, refresh: () => setAttempt(attempt + 1) }
}

export function useFileText(path: string, headers?: Record<string, string>): Resource<string> {
  const file = useFile(path, headers)
  const { value: blob } = file
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const content = blob === null ? null : await blob.text()
      if (!isGone) setText(content)
    }
    void read()
    return () => {
      isGone = true
    }
  }, [blob])
  return { ...file, value: text }
}
