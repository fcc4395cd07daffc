/** The part of node.mjs that tests use. */
export const ROOT: string
/** The Node that runs the scripts. */
export const NODE: string
