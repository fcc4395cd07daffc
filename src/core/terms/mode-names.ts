/** The names of the modes, as the wire has them; each has its line in the registry beside. */
export const MODE_NAMES = ['plan_execute', 'dynamic', 'session', 'autonomous', 'orchestrator'] as const
export type ModeName = (typeof MODE_NAMES)[number]
