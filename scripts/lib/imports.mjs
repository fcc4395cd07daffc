/** Reads the imports of a source file. The form of the files is fixed by the formatter, so that expressions are enough. */

const STATIC = /^(?:import|export)\s(?:(type\s)?([^'"]*?)\sfrom\s)?'([^'\n]+)'/gm
const LAZY = /(?:const \{([^}]*)\} = )?(?:await )?\bimport\('([^'\n]+)'\)/g

/**
 * One entry for each import: what it names as the file that is imported, and whether it vanishes with the types. `names`: the exports that it
 * takes, or null, if it takes all of them as one value.
 */
export function importsIn(text) {
  const fixed = [...text.matchAll(STATIC)].map(([, type, clause = '', to]) => ({
    to,
    is_type: type !== undefined,
    names: clause.includes('*') ? null : namesIn(clause),
  }))
  const lazy = [...text.matchAll(LAZY)].map(([, clause, to]) => ({
    to,
    is_type: false,
    names: clause === undefined ? null : namesIn(clause),
  }))
  return [...fixed, ...lazy]
}

/** `{ type A, b as c }` and `{ b: c }` name `A` and `b`. */
const namesIn = (clause) => [...clause.matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)].map(([, name]) => name)
