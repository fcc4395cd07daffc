/** Contents as MCP servers send them, in base64. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const TINY = {
  png: PNG,
  text: Buffer.from('no picture').toString('base64'),
  huge: 'A'.repeat(7_100_000),
} as const
