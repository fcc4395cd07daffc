declare namespace Cloudflare {
  interface Env extends Omit<import('../src/index.ts').Env, never> {
    /** Of test/workerd/model.test.ts; empty unless it is set where the tests are started. */
    MODEL_SEED?: string
  }
  interface GlobalProps {
    mainModule: typeof import('../src/index.ts')
  }
}
