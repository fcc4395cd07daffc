/** The part of door.mjs that tests use. */
export const DOOR_HEADER: string
