/** TENANT_SHARDS: over how many objects the workspaces of tenants are divided. */
import { expect, it } from 'vitest'
import { parseConfig } from '../src/config.ts'

const configOf = (shards: string | undefined) => parseConfig({ TENANT_SHARDS: shards, ENVIRONMENT: 'development' })

it('SHARD-01 a tenant has one shard unless TENANT_SHARDS says otherwise', () => {
  for (const unset of [undefined, '', ' ']) expect(configOf(unset).shardsOf('acme')).toEqual({ count: 1, since: 1 })
  const { shardsOf, config_errors } = configOf(' acme:4, big one:16:4 ')
  expect(config_errors).toEqual([])
  expect(shardsOf('acme')).toEqual({ count: 4, since: 1 })
  expect(shardsOf('big one')).toEqual({ count: 16, since: 4 })
  expect(shardsOf('other')).toEqual({ count: 1, since: 1 })
})

it('SHARD-01 the tenant * is every other tenant', () => {
  const { shardsOf } = configOf('*:8:8,acme:1')
  expect([shardsOf('acme').count, shardsOf('other').count]).toEqual([1, 8])
})

it('SHARD-08 a number of shards that is none is an error that says what is allowed', () => {
  for (const wrong of [
    'acme',
    'acme:3',
    'acme:0',
    'acme:128',
    'acme:4:8',
    'acme:4:3',
    ':4',
    'acme:4:',
    'acme:4,,',
    '4',
    'a:b:4',
    'acme:04',
  ]) {
    const { config_errors, shardsOf } = configOf(wrong)
    expect([wrong, config_errors]).toEqual([
      wrong,
      [expect.stringMatching(/^TENANT_SHARDS must be a list of tenant:shards, .*power of two up to 64/)],
    ])
    expect(shardsOf('acme')).toEqual({ count: 1, since: 1 })
  }
})
