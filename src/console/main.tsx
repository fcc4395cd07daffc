/** The console starts here. */
import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import { App } from './app.tsx'
import { readArrival } from './state/sign-in.ts'

readArrival()

const root = document.getElementById('console')
if (root !== null) render(<App />, root)
