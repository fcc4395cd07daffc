/** The share of a file that is sent. */
import { useWords, wordTable } from '../state/preferences.tsx'

const WORDS = wordTable({ sent: [(percent: number) => `${percent} % sent`, (percent) => `已发送 ${percent}%`] })
const PERCENT = 100

export function UploadProgress({ share }: { share: number }) {
  const words = useWords(WORDS)
  const text = words.sent(Math.round(share * PERCENT))
  return (
    <progress value={share} aria-label={text}>
      {text}
    </progress>
  )
}
