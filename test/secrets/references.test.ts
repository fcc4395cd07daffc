/** Where a text names a secret, and where it only looks as if it did. */
import { describe, expect, it } from 'vitest'
import { readReference, secretNames } from '../../src/shell/secrets/references.ts'

describe('U51 a text names a secret as its last word', () => {
  it.each([
    ['secret:orders', '', 'orders'],
    ['Bearer secret:orders', 'Bearer ', 'orders'],
    ['a  secret:O_r-9', 'a  ', 'O_r-9'],
    [`secret:${'x'.repeat(64)}`, '', 'x'.repeat(64)],
  ])('%s', (text, before, name) => {
    expect(readReference(text)).toEqual({ ok: true, value: { text: before, name } })
    expect(secretNames(text)).toEqual({ ok: true, value: [name] })
  })

  it.each(['', 'plain', 'token=secret:orders', 'the secret', 'secretive:x', 'Bearer sk-1', 'a\tsecret:orders'])(
    'and %j stands for itself',
    (text) => {
      expect(readReference(text)).toEqual({ ok: true, value: { text, name: null } })
      expect(secretNames(text)).toEqual({ ok: true, value: [] })
    },
  )

  const NOT_LAST = 'must name one secret, as its last word: such as "Bearer secret:orders"'
  const NO_NAME = 'must name a secret as secret:NAME, NAME being 1 to 64 of A-Z a-z 0-9 _ -'
  it.each([
    ['secret:', NO_NAME],
    ['Bearer secret:', NO_NAME],
    ['secret:a.b', NO_NAME],
    ['secret:ä', NO_NAME],
    ['secret:{id}', NO_NAME],
    [`secret:${'x'.repeat(65)}`, NO_NAME],
    ['secret:a b', NOT_LAST],
    ['secret: a', NOT_LAST],
    ['secret:a ', NOT_LAST],
    ['secret:a secret:b', NOT_LAST],
    ['secret:a secret:a', NOT_LAST],
    ['Secret:a', 'must name a secret in lower case: secret:NAME'],
    ['Bearer SECRET:a', 'must name a secret in lower case: secret:NAME'],
  ])('and %j is refused without being quoted', (text, error) => {
    expect(readReference(text)).toEqual({ ok: false, error })
    expect(secretNames(text)).toEqual({ ok: false, error })
  })
})
