/** Links with their token in the path, as the only right to what they open: those of questions and of commands (U23). */
import type { Links } from './signed-links.ts'
import { readReportLink } from './delegation-with-links.ts'
import { readAnswerLink } from './task-with-links.ts'

export type PathLinkName = 'answer' | 'report'
/** The tenant that a link was signed for; null for a foreign token. */
export type PathLinks = Record<PathLinkName, (token: string) => Promise<string | null>>

export const pathLinks = (links: Links): PathLinks => ({
  answer: async (token) => (await readAnswerLink(links, token))?.tenant ?? null,
  report: async (token) => (await readReportLink(links, token))?.tenant ?? null,
})
