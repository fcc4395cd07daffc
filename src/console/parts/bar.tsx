/** A bar for the used share of something. The page draws it, because each browser colours a meter in its own way. */
import './bar.css'

interface Props {
  used: number
  /** null: there is no limit. Then only `text` is shown. */
  max: number | null
  label: string
  text: string
  /** Whether the bar shows finished work. Then a high share is no warning. */
  isProgress?: boolean
}

export function Bar({ used, max, label, text, isProgress = false }: Props) {
  const share = max === null || max <= 0 ? null : Math.min(used / max, 1)
  return (
    <div class="bar">
      <span class="soft small">{label}</span>
      <span class="number small">{text}</span>
      {share !== null && (
        <>
          <meter class="aside" aria-label={`${label}: ${text}`} min={0} max={1} value={share}>
            {text}
          </meter>
          <span class={`bar-line ${isProgress ? '' : warningOf(share)}`} aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        </>
      )}
    </div>
  )
}

const warningOf = (share: number) => (share >= 1 ? 'full' : share >= 0.8 ? 'high' : '')
