/** Lists that come in pages: read entry by entry, or page by page. */

interface AnyPage<T> {
  data: T[]
  next_cursor: string | null
}

/** `P` is a page, and `T` an entry of it. */
export class Pages<P extends AnyPage<T>, T = P['data'][number]> {
  readonly #read: (cursor: string | undefined) => Promise<P>

  /** `read` gives the page behind a cursor; undefined: the first page. */
  constructor(read: (cursor: string | undefined) => Promise<P>) {
    this.#read = read
  }

  /** The pages, each asked for when it is needed. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | undefined; ;) {
      const page = await this.#read(cursor)
      yield page
      // A cursor that leads to itself would lead there for ever.
      if (page.next_cursor === null || page.next_cursor === cursor) return
      cursor = page.next_cursor
    }
  }

  /** The entries of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}
