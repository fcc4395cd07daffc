/** The choice of language and theme. */
import { LOCALES, THEMES, usePreferences, useWords } from '../state/preferences.tsx'
import './preferences.css'

const LANGUAGES = { en: 'English', zh: '中文' } as const
const WORDS = {
  en: { language: 'Language', theme: 'Theme', system: 'system', light: 'light', dark: 'dark' },
  zh: { language: '语言', theme: '主题', system: '跟随系统', light: '浅色', dark: '深色' },
}

export function Preferences() {
  const { locale, theme, prefer } = usePreferences()
  const words = useWords(WORDS)
  return (
    <div class="preferences">
      <select
        aria-label={words.language}
        value={locale}
        onChange={({ currentTarget }) => {
          const chosen = LOCALES.find((name) => name === currentTarget.value)
          if (chosen !== undefined) prefer({ locale: chosen })
        }}
      >
        {LOCALES.map((name) => (
          <option key={name} value={name}>
            {LANGUAGES[name]}
          </option>
        ))}
      </select>
      <select
        aria-label={words.theme}
        value={theme}
        onChange={({ currentTarget }) => {
          const chosen = THEMES.find((name) => name === currentTarget.value)
          if (chosen !== undefined) prefer({ theme: chosen })
        }}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {words[name]}
          </option>
        ))}
      </select>
    </div>
  )
}
