/** U41: which environment a service is in, what it needs there, and which hosts it may reach: each table in full. */
import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../scripts/lib/environment.mjs'
import { NO_SIGNING_SECRET } from '../src/config-hosting.ts'
import { NO_KEYS } from '../src/config-keys.ts'
import { parseConfig } from '../src/config.ts'

const KEYS = 'alice:alice-key'
const SECRET = 'a secret of sixteen'
const URL_SET = 'https://agent.example'
const [NO, PRODUCTION, DEVELOPMENT] = [undefined, 'production', 'development'] as const
const NO_URL = 'PUBLIC_URL must be set in production'
const NOT_HTTP = 'PUBLIC_URL must be an http or https URL'

describe('U41 the environment', () => {
  it.each([
    // API_KEYS, ENVIRONMENT, SIGNING_SECRET, PUBLIC_URL → npm start, its errors, the reasons of a deployed Worker
    [NO, NO, NO, NO, DEVELOPMENT, [], [NO_KEYS, NO_SIGNING_SECRET]],
    [NO, NO, SECRET, URL_SET, DEVELOPMENT, [], [NO_KEYS]],
    [NO, DEVELOPMENT, NO, NO, DEVELOPMENT, [], []],
    [NO, PRODUCTION, NO, NO, PRODUCTION, [], [NO_KEYS, NO_SIGNING_SECRET]],
    [NO, PRODUCTION, SECRET, URL_SET, PRODUCTION, [], [NO_KEYS]],
    [KEYS, NO, NO, NO, PRODUCTION, [NO_SIGNING_SECRET, NO_URL], [NO_SIGNING_SECRET]],
    [KEYS, NO, NO, URL_SET, PRODUCTION, [NO_SIGNING_SECRET], [NO_SIGNING_SECRET]],
    [KEYS, NO, SECRET, NO, PRODUCTION, [NO_URL], []],
    [KEYS, NO, SECRET, URL_SET, PRODUCTION, [], []],
    [KEYS, NO, SECRET, 'ftp://agent.example', PRODUCTION, [NOT_HTTP], [NOT_HTTP]],
    [KEYS, PRODUCTION, NO, NO, PRODUCTION, [NO_SIGNING_SECRET, NO_URL], [NO_SIGNING_SECRET]],
    [KEYS, PRODUCTION, SECRET, URL_SET, PRODUCTION, [], []],
    [KEYS, DEVELOPMENT, NO, NO, DEVELOPMENT, [], []],
    [KEYS, DEVELOPMENT, SECRET, URL_SET, DEVELOPMENT, [], []],
  ])('keys %s, ENVIRONMENT %s, secret %s, PUBLIC_URL %s: npm start is in %s', (...row) => {
    const [API_KEYS, ENVIRONMENT, SIGNING_SECRET, PUBLIC_URL, environment, errors, reasons] = row
    const given = Object.entries({ API_KEYS, ENVIRONMENT, SIGNING_SECRET, PUBLIC_URL })
    const env = Object.fromEntries(given.filter(([, value]) => value !== undefined))
    const started = readEnvironment(env)
    expect(started.environment).toBe(environment)
    expect(started.bindings.ENVIRONMENT).toBe(environment)
    expect(started.errors).toEqual(errors.map((error) => expect.stringContaining(error)))
    expect(parseConfig(env).config_errors).toEqual(reasons)
  })

  it.each([
    [{ ENVIRONMENT: 'development', API_KEYS: KEYS }, 'as ENVIRONMENT says'],
    [{ API_KEYS: KEYS }, 'because API_KEYS is set and ENVIRONMENT is not'],
    [{}, 'because neither ENVIRONMENT nor API_KEYS is set'],
  ])('%j: the start line says why', (env, reason) => expect(readEnvironment(env).reason).toBe(reason))

  it.each([
    ['127.0.0.1', {}, []],
    ['::1', {}, []],
    ['0.0.0.0', {}, ['HOST 0.0.0.0 would serve everybody']],
    ['192.0.2.7', { ENVIRONMENT: 'development' }, ['HOST 192.0.2.7 would serve everybody']],
    ['0.0.0.0', { ENVIRONMENT: 'development', API_KEYS: KEYS }, []],
    ['0.0.0.0', { ENVIRONMENT: 'production' }, []],
    ['0.0.0.0', { API_KEYS: KEYS, SIGNING_SECRET: SECRET, PUBLIC_URL: URL_SET }, []],
    ['my-machine', {}, ['HOST must be an IP address to listen on']],
    ['x86_64-conda-linux-gnu', {}, ['HOST must be an IP address to listen on']],
  ])(
    'OPS-05 HOST %s with %j listens beyond this machine only under keys that are none of the development',
    (HOST, env, errors) => {
      const started = readEnvironment({ ...env, HOST })
      expect(started.host).toBe(HOST)
      expect(started.errors).toEqual(errors.map((error) => expect.stringContaining(error)))
    },
  )

  it('OPS-05 without HOST it listens on the loopback', () => expect(readEnvironment({}).host).toBe('127.0.0.1'))

  it('a mistyped ENVIRONMENT is an error, and never development', () => {
    for (const env of [
      { ENVIRONMENT: 'dev' },
      { ENVIRONMENT: 'Development', API_KEYS: KEYS, SIGNING_SECRET: SECRET },
    ]) {
      expect(parseConfig(env).environment).toBe('production')
      expect(parseConfig(env).config_errors).toContain('ENVIRONMENT must be one of production, development')
    }
  })
})

describe('U41 SIGNING_SECRET', () => {
  const read = (SIGNING_SECRET: string) => parseConfig({ API_KEYS: KEYS, SIGNING_SECRET })

  it('is required in production, and the sentence says how to make one', () => {
    expect(NO_SIGNING_SECRET).toMatch(/^SIGNING_SECRET must be set in production.*openssl rand -base64 32$/)
  })

  it('may be several, newest first, while one is replaced', () => {
    expect(read(` ${SECRET}x , ${SECRET} `)).toMatchObject({
      signing_secrets: [`${SECRET}x`, SECRET],
      config_errors: [],
    })
  })

  it.each([
    ['too short', 'canary', 'at least 16 characters'],
    ['too short behind one that is not', `${SECRET},canary`, 'at least 16 characters'],
    ['empty', `${SECRET},`, 'at least 16 characters'],
    ['one too many', [1, 2, 3, 4].map((n) => `canary ${SECRET}${n}`).join(), 'at most 3 secrets'],
    ['the same twice', `canary ${SECRET},canary ${SECRET}`, 'the same secret twice'],
  ])('is refused when it is %s, and not repeated', (_, text, reason) => {
    const { signing_secrets, config_errors } = read(text)
    expect(config_errors).toEqual([expect.stringContaining(reason)])
    expect([signing_secrets, JSON.stringify(config_errors).includes('canary')]).toEqual([[], false])
  })

  it('is refused when it is a key or an entry of API_KEYS: a holder of a link could guess at it', () => {
    const key = 'a-key-of-sixteen-characters'
    for (const secret of [key, `alice:${key}`]) {
      const { config_errors } = parseConfig({ API_KEYS: `alice:${key}`, SIGNING_SECRET: secret })
      expect(config_errors).toEqual([expect.stringContaining('SIGNING_SECRET must not be a key of API_KEYS')])
    }
  })
})

describe.each(['ALLOWED_HOSTS', 'DENIED_HOSTS'] as const)('U41 %s', (name) => {
  const read = (text: string) => {
    const { allowed_hosts, denied_hosts, config_errors } = parseConfig({
      API_KEYS: KEYS,
      SIGNING_SECRET: SECRET,
      [name]: text,
    })
    const [hosts, others] = name === 'ALLOWED_HOSTS' ? [allowed_hosts, denied_hosts] : [denied_hosts, allowed_hosts]
    expect([...others]).toEqual([])
    return { hosts: [...hosts], config_errors }
  }

  it('names hosts, with a port or for each, and all names below a domain', () => {
    const { hosts, config_errors } = read('Models.internal:8000, 10.0.0.5 ,[fd00::1]:443,vm,*.Corp.example,*.lan:81')
    const expected = ['models.internal:8000', '10.0.0.5', '[fd00::1]:443', 'vm', '*.corp.example', '*.lan:81']
    expect([hosts, config_errors]).toEqual([expected, []])
  })

  it('U41 reads an IP address in any spelling, as addresses are read', () => {
    expect(read('0x7f.1,[FD00:0:0::1],012.0.0.1:080').hosts).toEqual(['127.0.0.1', '[fd00::1]', '10.0.0.1:80'])
  })

  it.each(
    (
      'http://models.internal models.internal/v1 a:0 a:65536 a:x a,,b - * *. **.a a.* *a.example *.*.a [::1 ' +
      '999.999.999.999 1.2.3.4.5 a@b ä.example'
    )
      .split(' ')
      .concat('a b'),
  )('%s is an error', (text) => {
    const { hosts, config_errors } = read(text)
    expect(config_errors).toEqual([
      expect.stringMatching(new RegExp(`^${name} entry \\d is not host, host:port or \\*\\.domain`)),
    ])
    expect(hosts).toEqual([])
  })

  it('names at most 100 hosts', () => {
    const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example`).join(',')
    expect(read(hosts(100)).hosts).toHaveLength(100)
    expect(read(hosts(101))).toEqual({ hosts: [], config_errors: [`${name} must name at most 100 hosts`] })
  })
})

describe('U53 CORS_ORIGINS', () => {
  const read = (text?: string) => {
    const { cors_origins, config_errors } = parseConfig({ API_KEYS: KEYS, SIGNING_SECRET: SECRET, CORS_ORIGINS: text })
    return [cors_origins, config_errors]
  }

  it.each([
    [NO, []],
    ['*', '*'],
    [
      'https://App.example.com:443, http://localhost:5173 ,http://[::1]:80',
      ['https://app.example.com', 'http://localhost:5173', 'http://[::1]'],
    ],
  ])('U53 reads %s', (text, expected) => {
    expect(read(text)).toEqual([expected, []])
  })

  it.each(
    (
      'app.example.com https://app.example.com/ https://app.example.com/x https://a?b https://a#b https://u@a ' +
      'ftp://app.example.com null *,https://a.example https://*.example.com https:// https://a:99999 https://a,'
    ).split(' '),
  )('U53 %s is an error that names its entry', (text) => {
    expect(read(text)).toEqual([
      [],
      [expect.stringMatching(/^CORS_ORIGINS entry \d is not an origin such as https:\/\/app\.example\.com/)],
    ])
  })
})
