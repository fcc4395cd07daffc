import { describe, expect, it } from 'vitest'
import { mayImport, mayImportPackage, withoutRow } from '../scripts/lib/import-rules.mjs'
import { importsIn } from '../scripts/lib/imports.mjs'

/** Each: a statement, and what is read of it. */
const STATEMENTS = [
  ["import { a, type B, c as d } from './x.ts'", { to: './x.ts', is_type: false, names: ['a', 'B', 'c'] }],
  ["import type { A } from './x.ts'", { to: './x.ts', is_type: true, names: ['A'] }],
  ["import {\n  a,\n  b,\n} from './x.ts'", { to: './x.ts', is_type: false, names: ['a', 'b'] }],
  ["import * as all from 'zod'", { to: 'zod', is_type: false, names: null }],
  ["import './x.css'", { to: './x.css', is_type: false, names: [] }],
  ["export { a } from './x.ts'", { to: './x.ts', is_type: false, names: ['a'] }],
  ["export type { A } from './x.ts'", { to: './x.ts', is_type: true, names: ['A'] }],
  ["  const { a, b: c } = await import('./x.ts')", { to: './x.ts', is_type: false, names: ['a', 'b'] }],
  ["  (await import('./x.ts')).a()", { to: './x.ts', is_type: false, names: null }],
] as const

it.each(STATEMENTS)('reads what is imported by %s', (text, expected) => {
  expect(importsIn(`${text}\n`)).toEqual([expected])
})

/** Each: who imports, and what. All are refused, as a type and as a value. */
const REFUSED = [
  ['core/engine/reduce.ts', 'lifecycle/process.ts'],
  ['core/engine/reduce.ts', 'config-quotas.ts'],
  ['core/engine/reduce.ts', 'compute/wire.ts'],
  ['core/terms/head.ts', 'delegations/headings.ts'],
  ['core/terms/head.ts', 'console/parse.ts'],
  ['core/terms/head.ts', 'core/mode/mode.ts'],
  ['core/workspace/zones.ts', 'core/protocol/task.ts'],
  ['core/modes/index.ts', 'core/engine/reduce.ts'],
  ['core/modes/session/view.ts', 'core/modes/dynamic/view.ts'],
  ['core/modes/plan/list.ts', 'core/modes/conversation/calls.ts'],
  ['core/protocol/task.ts', 'core/replay/history.ts'],
  ['core/protocol/task.ts', 'core/modes/session/state.ts'],
  ['core/terms/plain/wire-names.ts', 'core/terms/head.ts'],
  ['lifecycle/process.ts', 'console/parse.ts'],
  ['delegations/amounts.ts', 'shell/ports.ts'],
  ['shell/fork.ts', 'store/blobs.ts'],
  ['datasets/texts.ts', 'search/index.ts'],
  ['sandbox/runner.ts', 'store/blobs.ts'],
  ['models/endpoint-model.ts', 'sandbox/runner.ts'],
  ['models/endpoint-model.ts', 'datasets/table.ts'],
  ['models/endpoint-model.ts', 'config.ts'],
  ['models/offline/index.ts', 'core/modes/session/view.ts'],
  ['tools/read-dataset.ts', 'core/modes/conversation/entry.ts'],
  ['search/index.ts', 'tools/index.ts'],
  ['store/durable-store.ts', 'sandbox/runner.ts'],
  ['store/durable-store.ts', 'shell/create-service.ts'],
  ['store/task/task-object.ts', 'store/workspace/workspace-object.ts'],
  ['store/workspace/workspace-object.ts', 'store/task/task-object.ts'],
  ['store/task/task-object.ts', 'store/durable-store.ts'],
  ['http/app.ts', 'sandbox/runner.ts'],
  ['http/gate/admit.ts', 'http/text/plain.ts'],
  ['http/shapes/problems.ts', 'http/gate/admit.ts'],
  ['http/gate/admit.ts', 'http/contract.ts'],
  ['compute/wire.ts', 'tools/index.ts'],
  ['console/app.tsx', 'store/blobs.ts'],
  ['console/app.tsx', 'http/contract.ts'],
  ['console/views/task/plan/plan.tsx', 'console/views/tasks/filters.tsx'],
  ['console/parts/field.tsx', 'console/views/tasks/filters.tsx'],
  ['console/api/wire.ts', 'console/state/preferences.tsx'],
  ['config-keys.ts', 'core/terms/money.ts'],
] as const

/** Each is allowed as a type, and refused as a value. */
const TYPES_ONLY = [
  ['shell/ports.ts', 'lifecycle/draining.ts'],
  ['shell/ports.ts', 'delegations/command-file.ts'],
  ['datasets/columns.ts', 'shell/ports.ts'],
  ['tools/index.ts', 'shell/ports.ts'],
  ['store/blobs.ts', 'shell/ports.ts'],
  ['console/api/wire.ts', 'core/terms/view.ts'],
  ['console/api/wire.ts', 'core/protocol/task.ts'],
] as const

const ALLOWED = [
  ['index.ts', 'store/blobs.ts'],
  ['core/modes/index.ts', 'core/modes/session/machine.ts'],
  ['core/engine/reduce.ts', 'core/modes/index.ts'],
  ['store/task/task-object.ts', 'store/boot.ts'],
  ['console/views/task/plan/plan.tsx', 'console/parts/field.tsx'],
  ['console/views/tasks/filters.tsx', 'core/terms/plain/wire-names.ts'],
] as const

describe('what each folder of src may import', () => {
  it.each(REFUSED)('%s may not import %s', (file, target) => {
    expect([mayImport(file, target, false), mayImport(file, target, true)]).toEqual([false, false])
  })

  it.each(TYPES_ONLY)('%s may import only types of %s', (file, target) => {
    expect([mayImport(file, target, false), mayImport(file, target, true)]).toEqual([false, true])
  })

  it.each(ALLOWED)('%s may import %s', (file, target) => {
    expect(mayImport(file, target, false)).toBe(true)
  })

  it.each([
    ['core/terms/head.ts', 'openai', false],
    ['core/terms/head.ts', 'node:fs', false],
    ['core/terms/head.ts', 'zod', true],
    ['shell/ports.ts', 'cloudflare:workers', false],
    ['store/blobs.ts', 'cloudflare:workers', true],
    ['models/offline/index.ts', 'openai', false],
    ['models/endpoint-model.ts', 'openai', false],
    ['models/wires/openai-client.ts', 'openai/resources', true],
    ['shell/ports.ts', 'hono', false],
    ['lifecycle/process.ts', 'zod', false],
    ['console/parse.ts', 'zod', false],
    ['console/app.tsx', 'preact/hooks', true],
  ])('whether %s may import the package %s: %s', (file, name, expected) => {
    expect(mayImportPackage(file, name)).toBe(expected)
  })

  it('names what has no row, so that a new folder is not left without rules', () => {
    expect(withoutRow(['index.ts', 'core/terms/head.ts', 'other/file.ts'])).toEqual(['other/file.ts'])
  })
})
