/** How much of something is used up. */
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
        <meter
          aria-label={`${label}: ${text}`}
          min={0}
          max={1}
          high={isProgress ? 1 : 0.8}
          optimum={isProgress ? 0.5 : 0}
          value={share}
        >
          {text}
        </meter>
      )}
    </div>
  )
}
