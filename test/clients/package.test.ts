/** The package of the TypeScript client: programs on what it builds need no cast. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { installClient, TSC, type ClientPackage } from '../support/client-package.ts'

const CLIENT = 'clients/typescript'
const PROGRAM = 'test/fixtures/client-types/on-loop-agent-client.ts'
const Manifest = z.looseObject({ bin: z.record(z.string(), z.string()), dependencies: z.unknown().optional() })

const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' })

let folder = ''
let client: ClientPackage
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loop-agent-client-'))
  client = installClient(folder)
  cpSync(PROGRAM, join(folder, 'program.ts'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the compiler says of the program: for browsers without Node's types, and as Node resolves packages. */
function compile(module: string, lib: string[]): string {
  const resolution = module === 'nodenext' ? 'nodenext' : 'bundler'
  const options = { strict: true, noEmit: true, target: 'es2022', lib, module, moduleResolution: resolution, types: [] }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
  return node(TSC, '-p', folder).stdout
}

describe('U59 the package', () => {
  it.each(['esnext', 'nodenext'])('U59 is built, and a program on it compiles under strict as %s', (module) => {
    expect(client.printed).toBe('')
    expect(compile(module, ['es2023', 'dom', 'dom.iterable'])).toBe('')
  })

  it.each([
    ['a status that there is not', "task.status === 'queued'", "task.status === 'finished'"],
    ['an event of no type', "event.type === 'action_finished'", "event.type === 'action_done'"],
    ['a member of other events', 'event.payload.tool', 'event.payload.items'],
    ['a setting that there is not', 'max_steps: 20', 'max_step: 20'],
    ['a filter of no list', "status: 'running'", "state: 'running'"],
  ])('U59 %s does not compile', (_, right, wrong) => {
    const program = readFileSync(PROGRAM, 'utf8')
    expect(program).toContain(right)
    writeFileSync(join(folder, 'program.ts'), program.replace(right, wrong))
    expect(compile('esnext', ['es2023', 'dom', 'dom.iterable'])).toMatch(/program\.ts.*error TS/)
    writeFileSync(join(folder, 'program.ts'), program)
  })

  it('U59 the program has at most 40 lines, no cast, no any and no "!"', () => {
    const text = readFileSync(PROGRAM, 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    expect(text).not.toMatch(/\bas\b|\bany\b|@ts-|\w!/)
  })

  it('U59 depends on nothing, and only its command on Node', () => {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')))
    expect([manifest.dependencies, manifest.bin]).toEqual([undefined, { loop: './dist/cli/main.js' }])
    const sources = readdirSync(join(CLIENT, 'src')).filter((name) => name.endsWith('.ts') && name !== 'openapi.ts')
    expect(sources.length).toBeGreaterThan(10)
    for (const name of sources) expect(readFileSync(join(CLIENT, 'src', name), 'utf8')).not.toMatch(/from '(?!\.\/)/)
  })

  it('U60 the command is built, and can be run by its name', () => {
    expect(readFileSync(client.command, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true)
    expect(node(client.command, '--help').stdout).toContain('usage: loop <command>')
  })
})
