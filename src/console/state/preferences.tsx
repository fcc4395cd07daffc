/** What a reader prefers – language, light or dark – kept in this browser; nothing of it is a secret. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { keptIn } from './storage.ts'

export const LOCALES = ['en', 'zh'] as const
export type Locale = (typeof LOCALES)[number]
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

interface Preferences {
  locale: Locale
  theme: Theme
  prefer: (change: { locale?: Locale; theme?: Theme }) => void
}
const Context = createContext<Preferences>({ locale: 'en', theme: 'system', prefer: () => undefined })

const store = keptIn(() => localStorage, 'loop-agent.preferences')

function stored(): { locale: Locale; theme: Theme } {
  const kept = new URLSearchParams(store.read() ?? '')
  const spoken = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
  return {
    locale: LOCALES.find((name) => name === kept.get('locale')) ?? spoken,
    theme: THEMES.find((name) => name === kept.get('theme')) ?? 'system',
  }
}

export function PreferencesProvider({ children }: { children: ComponentChildren }) {
  const [chosen, choose] = useState(stored)
  useEffect(() => {
    document.documentElement.lang = chosen.locale === 'zh' ? 'zh-Hans' : 'en'
    document.documentElement.dataset['theme'] = chosen.theme
  }, [chosen])
  const prefer: Preferences['prefer'] = (change) => {
    const next = { ...chosen, ...change }
    store.write(new URLSearchParams(next).toString())
    choose(next)
  }
  return <Context.Provider value={{ ...chosen, prefer }}>{children}</Context.Provider>
}

export const usePreferences = () => useContext(Context)

/** Texts of a part of the page in both languages; `zh` has to have what `en` has. */
export function useWords<W>(table: { en: W; zh: NoInfer<W> }): W {
  return table[usePreferences().locale]
}
