/** While a deployment is rolled out, Workers of the release before ask the objects of this one: whatever they ask is still answered. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rpcContract, type RpcContract } from '../../scripts/lib/release/rpc-contract.mjs'

const now = rpcContract('.')

describe.each(globSync('test/fixtures/releases/*.rpc.json'))('requests of %s', (file) => {
  const before: RpcContract = JSON.parse(readFileSync(file, 'utf8'))
  const kinds = Object.entries(before).flatMap(([group, known]) =>
    Object.entries(known).map(([kind, members]) => ({ group, kind, members })),
  )

  it('OPS-09 are as many as it had', () => expect(kinds.length).toBeGreaterThan(80))

  it.each(kinds)(
    'OPS-09 $group $kind is still known, and needs no member that it did not carry',
    ({ group, kind, members }) => {
      const required = now[group]?.[kind]
      expect(required, `${kind} is gone: an older Worker would fail`).toBeDefined()
      expect(required?.filter((member) => !members.includes(member))).toEqual([])
    },
  )
})
