/** Secrets that development does not name: made once, kept with the data, readable by their owner alone. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withSecrets } from '../scripts/lib/secrets.mjs'
import { parseConfig } from '../src/config.ts'

const DEVELOPMENT = { ENVIRONMENT: 'development' }
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loop-agent-secrets-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))
const file = () => join(directory, 'data', 'secrets.json')
const bindings = (given: Record<string, string> = DEVELOPMENT) => withSecrets(given, join(directory, 'data'))

it('U21 both are made at the first start, fit the configuration, and outlive it', () => {
  const first = bindings()
  const { config_errors, webhook_secrets, signing_secrets } = parseConfig(first)
  expect([config_errors, [...webhook_secrets.keys()], signing_secrets]).toEqual([
    [],
    ['dev'],
    [first['SIGNING_SECRET']],
  ])
  expect(bindings()).toEqual(first)
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

it('U21 a directory of an earlier release keeps its secret and gets the other', () => {
  const { SIGNING_SECRET } = bindings()
  writeFileSync(file(), JSON.stringify({ SIGNING_SECRET }))
  const { WEBHOOK_SECRET, ...rest } = bindings()
  expect(rest).toEqual({ ...DEVELOPMENT, SIGNING_SECRET })
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ SIGNING_SECRET, WEBHOOK_SECRET })
})

it('U21 what is given is used; with both nothing is written, as in production', () => {
  const given = { SIGNING_SECRET: 's'.repeat(20), WEBHOOK_SECRET: 'a:b' }
  expect(bindings({ ...DEVELOPMENT, ...given })).toEqual({ ...DEVELOPMENT, ...given })
  expect(bindings({ ENVIRONMENT: 'production' })).toEqual({ ENVIRONMENT: 'production' })
  expect(() => statSync(file())).toThrow('ENOENT')
  expect(bindings({ ...DEVELOPMENT, WEBHOOK_SECRET: 'a:b' })).toMatchObject({ WEBHOOK_SECRET: 'a:b' })
})
