/** A component imports its own styles. The bundler puts all styles into one file. */
declare module '*.css'
