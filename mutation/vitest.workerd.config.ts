/** The suites of the Durable Objects, set up as the project's own configuration does it. */
import { defineConfig } from 'vitest/config'
import root from '../vitest.config.ts'

/** Those of the Worker need what a build makes, and add nothing about the store. */
const SUITES = ['test/store/**/*.test.ts']

const projects = (root.test?.projects ?? []).flatMap((project) =>
  typeof project === 'object' && 'test' in project && project.test?.name === 'workerd'
    ? [{ ...project, test: { ...project.test, include: SUITES } }]
    : [],
)

export default defineConfig({ test: { projects } })
