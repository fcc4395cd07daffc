/** The draining of this process. It is in module scope because one isolate runs the Worker and its objects on one machine. */
import { newDraining } from './draining.ts'

export const draining = newDraining()
