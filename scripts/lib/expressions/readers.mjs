/**
 * Finds the modules of the service that read text with repetitions. Each needs a line in a table of test/growth: parsers.ts measures its
 * time, and elsewhere.ts gives the reason why no measurement is needed.
 */

/** Whether a module has a regular expression with a repetition that has no bound, or makes one. */
export const isReading = ({ literals, made }) =>
  made > 0 || literals.some(({ source }) => /[*+]|\{\d+,\}/.test(source.replaceAll(/\\.|\[[^\]]*\]/g, 'x')))

/** The reading modules that are in no table. `named`: the modules of the tables; a folder ends with a slash. */
export function unmeasured(modules, named) {
  const folders = [...named].filter((one) => one.endsWith('/'))
  const isNamed = (file) => named.has(file) || folders.some((folder) => file.startsWith(folder))
  return modules.filter((one) => isReading(one) && !isNamed(one.file)).map(({ file }) => file)
}
