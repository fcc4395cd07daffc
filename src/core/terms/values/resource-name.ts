/** The names that clients give to what they keep, such as secrets, schedules and pools. They stand in paths and in texts. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** As JSON Schema has it. */
export const RESOURCE_NAME_PATTERN = NAME.source
export const RESOURCE_NAME_RULE = '1 to 64 of A-Z a-z 0-9 _ -'
export const isResourceName = (text: string): boolean => NAME.test(text)
