declare namespace Cloudflare {
  interface Env extends Omit<import('../src/index.ts').Env, never> {
    /** Of test/workerd/model.test.ts; empty unless it is set where the tests are started. */
    MODEL_SEED?: string
    /** The index database of tests that bind one. */
    INDEX_OF_TESTS: D1Database
    INDEX_WITHOUT_TABLES: D1Database
  }
  interface GlobalProps {
    mainModule: typeof import('../src/index.ts')
  }
}
