/** How much of something is used up; drawn by us, since each browser draws a meter in colours of its own. */
import './bar.css'

interface Props {
  used: number
  /** null: without a limit; then there is no bar, only what `text` says. */
  max: number | null
  label: string
  text: string
  /** What is done, not what is spent: much of it is nothing to be warned of. */
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
