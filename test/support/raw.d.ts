/** Files bundled as text by vite. */
declare module '*?raw' {
  const text: string
  export default text
}
