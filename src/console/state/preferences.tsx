/** The language and the theme of the reader. The browser stores them, as they are no secret. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { WordTable } from '../../core/terms/plain/word-table.ts'
import type { Locale } from '../api/wire.ts'
import { storageSlot } from './storage.ts'

export { wordTable } from '../../core/terms/plain/word-table.ts'

export const LOCALES = ['en', 'zh'] as const satisfies readonly Locale[]
export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

interface Preferences {
  locale: Locale
  theme: Theme
  prefer: (change: { locale?: Locale; theme?: Theme }) => void
}
const Context = createContext<Preferences>({ locale: 'en', theme: 'system', prefer: () => undefined })

const store = storageSlot(() => localStorage, 'loop-agent.preferences')

function readStored(): { locale: Locale; theme: Theme } {
  const stored = new URLSearchParams(store.read() ?? '')
  const preset = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
  return {
    locale: LOCALES.find((name) => name === stored.get('locale')) ?? preset,
    theme: THEMES.find((name) => name === stored.get('theme')) ?? 'system',
  }
}

export function PreferencesProvider({ children }: { children: ComponentChildren }) {
  const [chosen, choose] = useState(readStored)
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

/** Returns the texts of a part of the page in the reader's language. */
export function useWords<W>(table: WordTable<W>): W {
  return table[usePreferences().locale]
}
