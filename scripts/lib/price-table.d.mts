/** Types of price-table.mjs for vitest.config.ts. */
import type { Plugin } from 'vitest/config'

export function vitePlugin(): Plugin
