/** The console behind Cloudflare Access, which adds its token to every request of a person who is signed in there. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { issuerServer, type IssuerServer } from '../login/issuer-server.ts'
import { AUDIENCE, newKey, sign, type SigningKey } from '../login/stand-in.ts'
import { consoleBench } from './bench.ts'

let issuer: IssuerServer
let key: SigningKey
beforeAll(async () => {
  key = await newKey('access-1', 'RS256')
  issuer = await issuerServer()
  issuer.publish(key.jwk)
})
afterAll(() => issuer.leave())

const bench = consoleBench(() => ({
  AUTH_ISSUER: issuer.url,
  AUTH_PROVIDER: 'cloudflare-access',
  AUTH_JWKS_URL: `${issuer.url}/keys`,
  AUTH_AUDIENCE: AUDIENCE,
  AUTH_TENANT: 'acme',
}))

/** Stands for Access: it adds the token of a person, and answers for itself where a person signs out. */
async function openBehindAccess(token: string): Promise<Page> {
  const page = await bench.open('', { key: null })
  await page.route('**/*', (route) =>
    new URL(route.request().url()).pathname === '/cdn-cgi/access/logout'
      ? route.fulfill({ contentType: 'text/html', body: 'signed out of Access' })
      : route.continue({ headers: { ...route.request().headers(), 'cf-access-jwt-assertion': token } }),
  )
  await page.goto(`${bench.url()}/#/new`)
  await page.reload()
  return page
}

it('LOGIN-25 behind Access a person is signed in without a key, works, and signs out at Access', async () => {
  const page = await openBehindAccess(await sign(key, issuer.say({ email: 'someone@acme.example' })))
  await page.getByLabel('Goal', { exact: true }).fill('Buy milk')
  await page.getByRole('button', { name: 'Create the task', exact: true }).click()
  await expect.poll(() => page.url()).toContain('#/tasks/')
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('signed out of Access').waitFor()
})

it('LOGIN-25 a token of Access that the service does not accept is told with the reason, and a key works', async () => {
  const page = await openBehindAccess(await sign(key, issuer.say({ aud: 'another application' })))
  await page.getByText('This token is meant for another service').waitFor()
  await page.getByLabel('API key').fill('dev-key')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Forget the key' }).waitFor()
  expect(await page.evaluate('sessionStorage.getItem("loop-agent.key")')).toBe('dev-key')
})
