import type { Plugin } from 'esbuild'

export const openaiCreate: Plugin
