/** Types of tour.mjs for the tests. */
export type TourKind = 'completed' | 'asking' | 'paused' | 'approval' | 'canceled' | 'chinese' | 'waiting' | 'analysed'
export type TourTasks = Record<TourKind, string>
export function fill(origin: string, key?: string): Promise<TourTasks>
export function viewsOf(tasks: TourTasks): Record<string, string>
