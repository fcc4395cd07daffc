/** What services that use the API generate of openapi.yaml: the types are as they were committed, and clients on them need no cast. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const FIXTURES = 'test/fixtures/client-types'
const CLIENTS = ['on-openapi-typescript.ts', 'on-hey-api.ts']
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    types: [],
  },
}

const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' })

let folder = ''
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
/** What the compiler says of the clients. */
const compile = () => node('node_modules/typescript/bin/tsc', '-p', folder).stdout

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-types-'))
  const { status, stderr } = node('scripts/client-types.mjs', folder)
  if (status !== 0) throw new Error(stderr)
  for (const name of [...CLIENTS, 'refused.ts']) cpSync(join(FIXTURES, name), join(folder, name))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the types that clients generate', () => {
  it.each([
    ['openapi-typescript', 'clients/typescript/src/openapi.ts', 'openapi-typescript.ts'],
    ['@hey-api/openapi-ts', `${FIXTURES}/hey-api.ts`, 'hey-api/types.gen.ts'],
  ])('U56 %s makes what is committed: after a change run npm run client-types', (_, snapshot, generated) => {
    expect(read(generated) === readFileSync(snapshot, 'utf8')).toBe(true)
  })

  it('U56 clients on both compile under strict', () => {
    expect(compile()).toBe('')
  })

  it.each(CLIENTS)('U56 %s has at most 40 lines, no cast, no any and no "!"', (name) => {
    const text = readFileSync(join(FIXTURES, name), 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    expect(text).not.toMatch(/\bas\b|\bany\b|@ts-|\w!/)
  })

  it.each([
    ['an answer that may be a text', 'hey-api/types.gen.ts', '201: Task;', '201: Task | string;'],
    ['a default that has to be sent', 'openapi-typescript.ts', 'rounds?: number;', 'rounds: number;'],
    ['stop reasons as texts', 'hey-api/types.gen.ts', 'stop_reason: StopReason | null', 'stop_reason: string | null'],
    ['a payload of any shape', 'openapi-typescript.ts', 'type: "task_paused";', 'type: string;'],
    ['a member that may be absent', 'hey-api/types.gen.ts', 'forecast: Forecast;', 'forecast?: Forecast;'],
  ])('U56 %s would break a client', (_, file, before, after) => {
    const text = read(file)
    expect(text).toContain(before)
    writeFileSync(join(folder, file), text.replaceAll(before, after))
    expect(compile()).toMatch(/error TS/)
    writeFileSync(join(folder, file), text)
  })
})
