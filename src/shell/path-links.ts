/** Links whose token stands in the path and is the only right to what they open: those of questions and of commands (ruling 23). */
import type { Links } from './links.ts'
import { readReportLink } from './shown-delegation.ts'
import { readAnswerLink } from './shown.ts'

export type PathLinkName = 'answer' | 'report'
/** The tenant that a link of this kind was signed for; null: it is none of ours. */
export type PathLinks = Record<PathLinkName, (token: string) => Promise<string | null>>

export const pathLinks = (links: Links): PathLinks => ({
  answer: async (token) => (await readAnswerLink(links, token))?.tenant ?? null,
  report: async (token) => (await readReportLink(links, token))?.tenant ?? null,
})
