/** The choice of language and theme. */
import { LOCALES, THEMES, usePreferences, useWords, wordTable } from '../state/preferences.tsx'
import { Select } from './form.tsx'
import './preferences.css'

const LANGUAGES = { en: 'English', zh: '中文' } as const
const WORDS = wordTable({
  language: ['Language', '语言'],
  theme: ['Theme', '主题'],
  system: ['system', '跟随系统'],
  light: ['light', '浅色'],
  dark: ['dark', '深色'],
})

export function Preferences() {
  const { locale, theme, prefer } = usePreferences()
  const words = useWords(WORDS)
  return (
    <div class="preferences">
      <Select
        aria-label={words.language}
        value={locale}
        options={LOCALES.map((name) => [name, LANGUAGES[name]])}
        change={(name) => prefer({ locale: name })}
      />
      <Select
        aria-label={words.theme}
        value={theme}
        options={THEMES.map((name) => [name, words[name]])}
        change={(name) => prefer({ theme: name })}
      />
    </div>
  )
}
