/** Whether workerd is tied to its process and Miniflare's own port closed, by what the machine has, and what is said where it is not. */
import { expect, it } from 'vitest'
import { portWarning, whyUntied } from '../../scripts/lib/watch.mjs'

const machine = (missing: readonly string[] = [], env: Record<string, string> = {}, platform = 'linux') => {
  const tried: string[] = []
  const works = (command: string, args: readonly string[]) => {
    tried.push([command, ...args].join(' '))
    return !missing.includes(command)
  }
  return { tried, reason: whyUntied({ platform, env, works }) }
}

it('Linux with all three programs ties it, each tried as the wrapper uses it', () => {
  expect(machine()).toEqual({ reason: null, tried: ['setpriv --pdeathsig KILL true', 'sed -z s/a/b/', 'setsid true'] })
})

it.each([
  [['setpriv'], 'this machine lacks setpriv --pdeathsig'],
  [['sed'], 'this machine lacks sed -z'],
  [['setsid'], 'this machine lacks setsid'],
  [['setpriv', 'sed', 'setsid'], 'this machine lacks setpriv --pdeathsig, sed -z, setsid'],
])('without %j it is not, and the reason names what is missing', (missing, reason) => {
  expect(machine(missing).reason).toBe(reason)
})

it('another system, and a workerd of somebody else, are reasons too: nothing is tried then', () => {
  expect(machine([], {}, 'darwin')).toEqual({ reason: 'this system is darwin, not Linux', tried: [] })
  expect(machine([], { MINIFLARE_WORKERD_PATH: '/opt/workerd' })).toEqual({
    reason: 'MINIFLARE_WORKERD_PATH is set',
    tried: [],
  })
})

it('the warning is one line that names the reason, what it means and what helps', () => {
  const warning = portWarning('this machine lacks setsid')
  for (const part of ['this machine lacks setsid', 'without a key', 'loopback', 'container of its own'])
    expect(warning).toContain(part)
  expect(warning.split('\n')).toHaveLength(1)
})
