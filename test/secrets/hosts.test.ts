/** The hosts of a secret: how they are read, and which addresses are at one of them. */
import { describe, expect, it } from 'vitest'
import { mayReceive, readSecretHost } from '../../src/shell/secrets/hosts.ts'

describe('a host of a secret', () => {
  it.each([
    ['api.example.com', 'api.example.com'],
    ['API.Example.COM', 'api.example.com'],
    ['api.example.com.', 'api.example.com'],
    ['api.example.com:8443', 'api.example.com:8443'],
    ['api.example.com:443', 'api.example.com:443'],
    ['api.example.com:00443', 'api.example.com:443'],
    ['localhost:8787', 'localhost:8787'],
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f.1:80', '127.0.0.1:80'],
    ['[::1]', '[::1]'],
    ['[0:0::1]:8080', '[::1]:8080'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え.jp:8443', 'xn--r8jz45g.jp:8443'],
  ])('%s is kept as %s', (text, host) => {
    expect(readSecretHost(text)).toEqual({ ok: true, value: host })
  })

  it.each([
    ['https://api.example.com/v1', 'must be a host, and not a whole address: write "api.example.com"'],
    ['https://API.example.com:8443/v1?x#y', 'must be a host, and not a whole address: write "api.example.com:8443"'],
    ['api.example.com/v1', 'must be a host, and not a whole address: write "api.example.com"'],
    ['https://u:p@api.example.com/', 'must be a host, and not a whole address: write "api.example.com"'],
    ['https://', 'must be host or host:port, such as api.example.com, and not a whole address'],
    ['*.example.com', 'must be host or host:port, such as api.example.com: name each host, * stands for none'],
    ['', 'must be host or host:port, such as api.example.com'],
    [':443', 'must be host or host:port, such as api.example.com'],
    ['a:b', 'must be host or host:port, such as api.example.com'],
    ['a.example:80:90', 'must be host or host:port, such as api.example.com'],
    ['a.example:', 'must be host or host:port, such as api.example.com'],
    ['::1', 'must be host or host:port, such as api.example.com'],
    ['a%2Fb.example', 'must be host or host:port, such as api.example.com'],
    ['a.example:0', 'must be host or host:port, such as api.example.com: a port is from 1 to 65535'],
    ['a.example:65536', 'must be host or host:port, such as api.example.com: a port is from 1 to 65535'],
    ['api.example.com ', 'must be host or host:port, such as api.example.com, without blanks and invisible characters'],
    ['a\u200Bb.example', 'must be host or host:port, such as api.example.com, without blanks and invisible characters'],
    ['x'.repeat(260), 'must be host or host:port, such as api.example.com, of at most 259 characters'],
  ])('%j is refused: %s', (text, error) => {
    expect(readSecretHost(text)).toEqual({ ok: false, error })
  })
})

describe('U51 a secret may be sent', () => {
  it.each([
    [['api.example.com'], 'https://api.example.com/v1', true],
    [['api.example.com'], 'https://API.EXAMPLE.COM/', true],
    [['api.example.com'], 'https://api.example.com./', true],
    [['api.example.com'], 'https://api.example.com:8443/', true],
    [['api.example.com:443'], 'https://api.example.com/', true],
    [['api.example.com:8443'], 'https://api.example.com:8443/', true],
    [['b.example', 'a.example'], 'https://a.example/', true],
    [['xn--bcher-kva.example'], 'https://bücher.example/', true],
    [['[::1]:8080'], 'http://[::1]:8080/', true],
    [['api.example.com:8443'], 'https://api.example.com/', false],
    [['api.example.com:443'], 'https://api.example.com:8443/', false],
    [['api.example.com:443'], 'http://api.example.com/', false],
    [['api.example.com'], 'https://v1.api.example.com/', false],
    [['api.example.com'], 'https://example.com/', false],
    [['api.example.com'], 'https://api.example.com.evil.example/', false],
    [['api.example.com'], 'https://evil.example/api.example.com', false],
    [['api.example.com'], 'https://api.example.com@evil.example/', false],
    [['api.example.com'], 'https://xapi.example.com/', false],
    [[], 'https://api.example.com/', false],
  ])('of %j to %s: %s', (hosts, address, allowed) => {
    expect(mayReceive(hosts, new URL(address))).toBe(allowed)
  })
})
