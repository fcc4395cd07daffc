/** `.ci/run` with commands that only say that they ran: what it asks for, in which order, and what its last line and its end tell. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'loop-agent-ci-'))
  cpSync('.ci', join(place, '.ci'), { recursive: true })
  mkdirSync(join(place, 'bin'))
  program('chromium', '')
})
afterEach(() => rmSync(place, { recursive: true }))

const program = (name: string, body: string) =>
  writeFileSync(join(place, 'bin', name), `#!/usr/bin/env bash\n${body}\n`, { mode: 0o755 })

interface Counted {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  testResults?: object[]
}
const counted = (numPassedTests: number, numFailedTests = 0): Counted => ({
  success: numFailedTests === 0,
  numPassedTests,
  numFailedTests,
})

/** `tests`, `browser`: what their run reports; null: nothing. `broken`: the command that fails. */
function run({ tests = counted(5), browser = counted(2), broken = 'nothing', chromium = 'bin/chromium' }: Given = {}) {
  const report = (name: string, given: Counted | null) =>
    `${name}\\ *) ${given === null ? ':' : `echo '${JSON.stringify(given)}' >"$report"`} ;;`
  const lines = [
    `echo "$*" >>${place}/asked`,
    'report=$(sed -n "s/.*--outputFile.json=//p" <<<"$*")',
    `case "$*" in ${report('test', tests)} ${report('exec\\ --\\ vitest\\ run', browser)} esac`,
    `[[ "$*" != *"${broken}"* ]]`,
  ]
  program('npm', lines.join('\n'))
  const env = { ...process.env, PATH: `${join(place, 'bin')}:${process.env['PATH']}`, CHROMIUM: join(place, chromium) }
  const { status, stdout, stderr } = spawnSync('bash', [join(place, '.ci/run')], { env, encoding: 'utf8' })
  const asked = readFileSync(join(place, 'asked'), 'utf8').trim().split('\n')
  return { status, stderr, last: stdout.trim().split('\n').at(-1), asked: asked.map(commandOf) }
}
const commandOf = (line: string) => line.replace('exec -- ', '').split(' --')[0]
interface Given {
  tests?: Counted | null
  browser?: Counted | null
  broken?: string
  chromium?: string
}

const FIRST = ['ci', 'run check', 'test']
/** The kills run beside the browser, so either may begin. */
const BROWSER_AND_KILLS = ['node scripts/chaos.mjs', 'vitest run']
const LAST = ['node scripts/fuzz.mjs', 'node scripts/bench-ab.mjs']

function expectAll(asked: (string | undefined)[]): void {
  expect(asked.slice(0, 3)).toEqual(FIRST)
  expect(asked.slice(3, -2).toSorted()).toEqual(BROWSER_AND_KILLS)
  expect(asked.slice(-2)).toEqual(LAST)
}

it('U30 installs, checks, tests, tests in a browser, kills, fuzzes and compares a step; its last line counts both runs of tests', () => {
  const { status, last, asked } = run()
  expect({ status, last }).toEqual({ status: 0, last: '7 passed, 0 failed' })
  expectAll(asked)
})

it('U30 a missing browser fails it, says so in one sentence, and keeps nothing else from being run', () => {
  const { status, stderr, last, asked } = run({ chromium: 'nowhere' })
  expect({ status, last }).toEqual({ status: 1, last: '5 passed, 1 failed' })
  expect(asked).toEqual([...FIRST, 'node scripts/chaos.mjs', ...LAST])
  expect(stderr).toContain(`the console is not tested: there is no Chromium at ${join(place, 'nowhere')}, and `)
})

it.each<[string, Given, string]>([
  ['a test that failed', { tests: counted(4, 1) }, '6 passed, 1 failed'],
  ['a test in the browser that failed', { browser: counted(1, 1) }, '6 passed, 1 failed'],
  ['a run without a report', { tests: null }, '2 passed, 1 failed'],
  ['a run in the browser without a report', { browser: null }, '5 passed, 1 failed'],
  ['a run without any test', { browser: counted(0) }, '5 passed, 0 failed'],
  ['a run that broke off', { broken: 'vitest run' }, '7 passed, 0 failed'],
  ['a finding of the fuzzer', { broken: 'fuzz' }, '7 passed, 0 failed'],
  ['a kill that broke something', { broken: 'chaos' }, '7 passed, 0 failed'],
  ['a step that is dearer for sure', { broken: 'bench-ab' }, '7 passed, 0 failed'],
])('%s fails it', (_, given, last) => {
  const ended = run(given)
  expect(ended).toMatchObject({ status: 1, last })
  expectAll(ended.asked)
})

it('U30 a run of tests that fails without a failed test is told at the end, with its errors', () => {
  const { status, stderr, last } = run({ broken: '--outputFile.json=' })
  expect({ status, last }).toEqual({ status: 1, last: '7 passed, 0 failed' })
  expect(stderr).toContain('npm test ended with 1')
})

it('U30 each test that failed is named at the end, with its error, and so is a file that could not be loaded', () => {
  const failed = { status: 'failed', fullName: 'a law is kept', failureMessages: ['Error: it is not'] }
  const testResults = [
    { name: 'laws.test.ts', status: 'failed', message: '', assertionResults: [failed] },
    { name: 'other.test.ts', status: 'failed', message: 'SyntaxError: unexpected', assertionResults: [] },
  ]
  const { stderr } = run({ tests: { ...counted(4, 1), testResults } })
  expect(stderr).toContain('FAILED laws.test.ts: a law is kept\nError: it is not')
  expect(stderr).toContain('FAILED other.test.ts: SyntaxError: unexpected')
})
