/** A whole sign-in with an issuer on this machine: there, back, refreshed, refused, and out again. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { issuerServer, type IssuerServer } from '../login/issuer-server.ts'
import { AUDIENCE, newKey, sign, type SigningKey } from '../login/stand-in.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'
import { goTo } from './keys.ts'

const CLIENT = 'console'
let issuer: IssuerServer
let key: SigningKey
/** What the issuer does, and what it has seen. */
const play = {
  error: null as string | null,
  nonce: '',
  challenge: '',
  /** Seconds for which its tokens are good. */
  life_s: 600,
  grants: [] as string[],
  refreshes: true,
}

beforeAll(async () => {
  key = await newKey('ec-1')
  issuer = await issuerServer({
    '/authorize': (_, answer, query) => {
      play.nonce = query.get('nonce') ?? ''
      play.challenge = query.get('code_challenge') ?? ''
      const back = new URL(query.get('redirect_uri') ?? '')
      back.searchParams.set('state', query.get('state') ?? '')
      if (play.error === null) back.searchParams.set('code', 'code-4711')
      else back.searchParams.set('error', play.error)
      answer.writeHead(302, { location: back.href }).end()
    },
    '/token': async (body, answer) => {
      const form = new URLSearchParams(body)
      const grant = form.get('grant_type') ?? ''
      play.grants.push(grant)
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const isRight =
        grant === 'refresh_token' ? play.refreshes : form.get('code') === 'code-4711' && challenge === play.challenge
      const json = { 'content-type': 'application/json' }
      if (!isRight) return answer.writeHead(400, json).end('{"error":"invalid_grant"}')
      const exp = Math.floor(Date.now() / 1000) + play.life_s
      const access_token = await sign(key, issuer.say({ exp, jti: String(play.grants.length) }))
      const id_token = await sign(key, issuer.say({ aud: CLIENT, nonce: play.nonce }))
      return answer.writeHead(200, json).end(JSON.stringify({ access_token, id_token, refresh_token: 'refresh-4711' }))
    },
  })
  issuer.publish(key.jwk)
})
afterAll(() => issuer.leave())

const bench = consoleBench(() => ({
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  AUTH_TENANT_CLAIM: 'org',
  AUTH_CLIENT_ID: CLIENT,
}))

/** The page has gone to the issuer, and nowhere else. */
function expectIssuerOnly(): void {
  for (const complaint of bench.complaints()) expect(complaint).toContain(`asked elsewhere: ${issuer.url}/authorize?`)
}
const button = (page: Page) => page.getByRole('button', { name: `Sign in with ${new URL(issuer.url).host}` })
async function signIn(fragment = ''): Promise<Page> {
  const page = await bench.open(fragment, { key: null })
  await button(page).click()
  await page.getByRole('navigation').waitFor()
  return page
}
const inStorage = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')

describe('LOGIN-24 the console signs in with an issuer', () => {
  it('LOGIN-24 a person goes there and comes back to the view, signed in, and the code is nowhere', async () => {
    const page = await signIn('#/new')
    await page.getByRole('heading', { name: 'New task' }).waitFor()
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('#/new')
    expect(await page.evaluate('history.length + JSON.stringify(localStorage) + document.cookie')).not.toContain('4711')
    const kept = await inStorage(page)
    expect(kept).not.toContain('code-4711')
    expect(Object.keys(JSON.parse(kept))).toEqual(['loop-agent.login'])
    await page.getByLabel('Goal', { exact: true }).fill('Buy milk')
    await page.getByRole('button', { name: 'Create the task', exact: true }).click()
    await expect.poll(() => page.url()).toContain('#/tasks/')
    expectIssuerOnly()
  })

  it('LOGIN-24 a reload keeps the login, and signing out forgets it', async () => {
    const page = await signIn()
    await page.reload()
    await page.getByRole('navigation').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await button(page).waitFor()
    expect(await inStorage(page)).toBe('{}')
    expectIssuerOnly()
  })

  it('LOGIN-24 a key works as before', async () => {
    const page = await bench.open('', { key: null })
    await button(page).waitFor()
    await page.getByLabel('API key').fill('dev-key')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forget the key' }).waitFor()
    expect(Object.keys(JSON.parse(await inStorage(page)))).toEqual(['loop-agent.key'])
  })

  it('LOGIN-24 a token that is about to expire is renewed without a word', async () => {
    play.life_s = 30
    const page = await signIn()
    play.life_s = 600
    play.grants.length = 0
    await page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }).click()
    await page.getByText('every callback was told in time').waitFor()
    expect(play.grants).toEqual(['refresh_token'])
    expectIssuerOnly()
  })

  it('LOGIN-24 a login that its issuer has ended says so, and begins again', async () => {
    play.life_s = -60
    play.refreshes = false
    const page = await bench.open('', { key: null })
    const stale = {
      token: await sign(key, issuer.say({ exp: 1 })),
      expires_ms: 0,
      refresh_token: 'r',
      key_name: 'oidc:1',
    }
    await page.evaluate(`sessionStorage.setItem('loop-agent.login', ${JSON.stringify(JSON.stringify(stale))})`)
    await page.reload()
    await page.getByText('The login has ended. Sign in again.').waitFor()
    play.life_s = 600
    play.refreshes = true
    await button(page).click()
    await page.getByRole('navigation').waitFor()
    expectIssuerOnly()
  })

  it('LOGIN-24 a refusal of the issuer is told', async () => {
    play.error = 'access_denied'
    const page = await bench.open('', { key: null })
    await button(page).click()
    await page.getByText('The issuer has not signed you in (access_denied).').waitFor()
    expect([new URL(page.url()).search, await inStorage(page)]).toEqual(['', '{}'])
    play.error = null
    expectIssuerOnly()
  })

  it('LOGIN-24 the answer to a sign-in of somebody else signs nobody in', async () => {
    play.grants.length = 0
    const page = await bench.open('?code=code-4711&state=of-somebody-else', { key: null })
    await page.getByText('This sign-in was not begun in this tab').waitFor()
    expect([new URL(page.url()).search, play.grants]).toEqual(['', []])
    expect(await page.getByRole('navigation').count()).toBe(0)
  })

  it('LOGIN-24 tokens that the service does not accept are refused with its reason', async () => {
    const page = await bench.open('', { key: null })
    await page.route('**/auth/token', (route) => {
      const body = { ...JSON.parse(route.request().postData() ?? '{}'), nonce: 'of-another-sign-in' }
      return route.continue({ postData: JSON.stringify(body) })
    })
    await button(page).click()
    await page.getByText('What the issuer gave does not belong to this sign-in: begin it again.').waitFor()
    expectIssuerOnly()
  })

  it('LOGIN-24 by keyboard alone, with a name for every control, in both languages', async () => {
    const page = await bench.open('', { key: null })
    await button(page).waitFor()
    await goTo(page, /^Sign in with/)
    const { violations } = await analyse(page)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
    await page.getByLabel('Language').selectOption('zh')
    await page.getByRole('button', { name: `通过 ${new URL(issuer.url).host} 登录` }).waitFor()
    await page.keyboard.press('Tab')
    await goTo(page, /^通过/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '退出登录' }).waitFor()
    expectIssuerOnly()
  })

  it('LOGIN-24 over plain http in a LAN the page says that a login needs https, and a key works', async () => {
    const page = await bench.open('', { key: null })
    await page.addInitScript("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    await page.reload()
    await page.getByText('A login needs this page over https.').waitFor()
    expect(await button(page).isDisabled()).toBe(true)
    await page.getByLabel('API key').fill('dev-key')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()
  })

  it('LOGIN-24 while the issuer is away the page says so, and a key works', async () => {
    await issuer.leave()
    const restart = await bench.kill()
    await restart()
    const page = await bench.open('', { key: null })
    await page.getByText('The issuer of logins cannot be reached now. A key works as before.').waitFor()
    await page.getByLabel('API key').fill('dev-key')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()
    expect(await button(page).count()).toBe(0)
    await issuer.comeBack()
  })
})
