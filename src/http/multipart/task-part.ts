/** The part of a form that holds all fields as JSON. The gate reads its name at start, and the rest of this folder with the first form. */
export const TASK_PART = 'task'
