/** What every command works with: the rows, the caller's circumstances and the words of the answer. */
import type { Book } from './book.ts'
import type { CommandContext } from './context.ts'
import type { Texts } from './texts.ts'

export type Desk = { book: Book; context: CommandContext; texts: Texts }
