/** The system's Chromium, driven by playwright-core. A machine without one fails whoever needs it, and is told what is missing. */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Debian's, rather the one that opens no windows: it takes half the time. Another one by CHROMIUM. */
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const PATH = process.env['CHROMIUM'] ?? PATHS.find((path) => existsSync(path)) ?? '/usr/bin/chromium'
/** Nothing but the page itself may ask for anything: no look for updates, no sync, no first-run page. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launch(): Promise<Browser> {
  if (!existsSync(PATH))
    throw new Error(
      `there is no Chromium at ${PATH}: install it (Debian: apt-get install chromium), or name it by CHROMIUM`,
    )
  return await chromium.launch({ executablePath: PATH, args: FLAGS })
}

let shared: Promise<Browser> | null = null

/** One for all who ask in a process, until that ends: its browser ends with it. One that has crashed is replaced. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launch().then((browser) => browser.once('disconnected', () => (shared = null)))
  return shared
}
