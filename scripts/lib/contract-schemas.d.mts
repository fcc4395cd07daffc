import type { Plugin } from 'esbuild'

export const contractSchemas: Plugin
