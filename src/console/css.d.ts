/** Styles are imported beside what they style; the bundler puts them into one file. */
declare module '*.css'
