/** What both runs share. Paths are those of the project's root, where Stryker is started. */

export const shared = (name) => ({
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A mutant of module level (schemas, tables) needs a fresh process for all tests; types and contract tests hold those.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `.stryker/${name}.incremental.json`,
  tempDirName: `.stryker/${name}`,
  // The copy lies below the root, so Node finds the root's packages from it; none are copied or linked.
  symlinkNodeModules: false,
  // Stryker would rewrite it with an interface TypeScript 7 no longer has, and nothing here extends another.
  tsconfigFile: 'none',
  ignorePatterns: ['/.stryker', '/mutation/node_modules', '/public', '/dist', '/docs-page', '/.data', '/.wrangler'],
  reporters: ['clear-text', 'json', 'html', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  jsonReporter: { fileName: `.stryker/${name}.json` },
  htmlReporter: { fileName: `.stryker/${name}.html` },
  // A machine that is busy must not turn a survivor into a time-out.
  timeoutMS: 60_000,
  thresholds: { high: 95, low: 90, break: 90 },
})
