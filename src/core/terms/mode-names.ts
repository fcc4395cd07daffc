/** The names of the modes on the wire. Each of them has a line in the registry `src/core/modes/index.ts`. */
export const MODE_NAMES = ['plan_execute', 'dynamic', 'session', 'autonomous', 'orchestrator'] as const
export type ModeName = (typeof MODE_NAMES)[number]
