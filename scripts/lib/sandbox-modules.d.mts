/** Types of sandbox-modules.mjs for vitest.config.ts. */
import type { Plugin } from 'vitest/config'

export function vitePlugin(): Plugin
