/** The name that always means the default endpoint, whatever other name MODELS gives it. A task that names no model uses it. */
export const DEFAULT_ENDPOINT = 'default'
