/** The modules that scripts/lib/sandbox-modules.mjs builds. */
declare module 'sandbox:quickjs.wasm' {
  /** The interpreter; it exports `fuel` besides its own exports. */
  const module: WebAssembly.Module
  export default module
}
declare module 'sandbox:kit' {
  /** A script that defines `kit`. */
  const text: string
  export default text
}
