/** The suites of the Durable Objects, as the project's own configuration runs them, and no others. */
import { defineConfig } from 'vitest/config'
import root from '../vitest.config.ts'

const projects = root.test?.projects ?? []

export default defineConfig({
  test: { projects: projects.filter((project) => JSON.stringify(project).includes('"name":"workerd"')) },
})
