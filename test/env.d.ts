declare namespace Cloudflare {
  interface Env extends Omit<import('../src/index.ts').Env, never> {}
  interface GlobalProps {
    mainModule: typeof import('../src/index.ts')
  }
}
