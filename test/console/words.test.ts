/** What the service says in English, the console says in Chinese too. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { meaningInChinese } from '../../src/console/parts/problem/problem-words.ts'
import { helpInChinese } from '../../src/console/views/new/setting-words.ts'
import { PROBLEMS } from '../../src/http/shapes/problems.ts'
import { specsOf } from '../../src/console/views/new/setting-specs.ts'

const document: unknown = parse(readFileSync('openapi.yaml', 'utf8'))

it('every setting of the contract has its help in Chinese, with its default', () => {
  const specs = specsOf(document)
  expect(specs.length).toBeGreaterThan(30)
  for (const { name, description } of specs) {
    const help = helpInChinese(name, description)
    expect(help, name).toMatch(/；默认 .+（除非另有配置）$/)
    expect(help, name).toMatch(/\p{Script=Han}{2}/u)
  }
})

it('a default of a mode is shown with its help; an unknown setting is explained in the words of the contract', () => {
  expect(helpInChinese('max_iterations', 'x; default 20, in session 200, unless configured otherwise')).toMatch(
    /；默认 20, session 为 200（除非另有配置）$/,
  )
  expect(helpInChinese('brand_new', 'does something')).toBe('does something')
  expect(helpInChinese('toString', 'does something')).toBe('does something')
})

it('every refusal of the contract has its meaning in Chinese', () => {
  for (const code of Object.keys(PROBLEMS)) expect(meaningInChinese(code), code).toMatch(/\p{Script=Han}{2}/u)
})

it('a refusal is explained in Chinese by its code; an unknown one has only the words of the service', () => {
  expect(meaningInChinese('task_not_found')).toBe('没有这个任务。')
  expect(meaningInChinese('constructor')).toBeNull()
})
