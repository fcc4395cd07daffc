/** What scripts/lib/sandbox-modules.mjs makes. */
declare module 'sandbox:quickjs.wasm' {
  /** The interpreter; it exports `fuel` beside its own. */
  const module: WebAssembly.Module
  export default module
}
declare module 'sandbox:kit' {
  /** A script that defines `kit`. */
  const text: string
  export default text
}
