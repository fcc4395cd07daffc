/** U53: unreadable JSON is told by its place and by what to write there. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/http/contract.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { parseJson } from '../../src/core/terms/values/parse-json.ts'
import { describeJsonError, findJsonError } from '../../src/http/gate/hints/json-error.ts'
import { fixture, ID, problemOf } from '../support/http-fixture.ts'

describe('U53 unreadable JSON', () => {
  it.each([
    ["{'goal': 'x'}", 1, 2, 'write a name in double quotes, such as "goal"', "'goal': 'x'}"],
    ['{goal: "x"}', 1, 2, 'write a name in double quotes, such as "goal"', 'goal: "x"}'],
    ['{"goal": \'x\'}', 1, 10, 'write texts in double quotes (")', "'x'}"],
    ['{"goal": “x”}', 1, 10, 'write texts in double quotes (")', '“x”}'],
    ['{"goal": "x",}', 1, 14, 'leave out the comma before "}"', '}'],
    ['{"goal": "x"\n "mode": "session"}', 2, 2, 'write "," or "}" here', '"mode": "session"}'],
    ['{"goal" "x"}', 1, 9, 'write ":" after the name', '"x"}'],
    ['{"a": [1, 2,]}', 1, 13, 'leave out the comma before "]", or write a value', ']}'],
    ['{"a": [1 2]}', 1, 10, 'write "," or "]" here', '2]}'],
    ['{"goal":"x"}{"goal":"y"}', 1, 13, 'nothing may follow the value', '{"goal":"y"}'],
    ['{"rounds": NaN}', 1, 12, 'write null', 'NaN}'],
    ['{"rounds": None}', 1, 12, 'write null', 'None}'],
    ['{"a": True}', 1, 7, 'write true in lower case', 'True}'],
    ['{"a": .5}', 1, 7, 'write a number such as 0.5 or 10, or a text in double quotes', '.5}'],
    ['{"a": 007}', 1, 7, 'write a number such as 0.5 or 10, or a text in double quotes', '007}'],
    ['{"a": yes}', 1, 7, 'write a value: a text in double quotes, a number, true, false, null, {…} or […]', 'yes}'],
    ['{"goal": "x"} // hi', 1, 15, 'nothing may follow the value', '// hi'],
    ['{ // hi\n"goal": "x"}', 1, 3, 'leave the comment out, JSON has none', '// hi'],
    ['{"goal": "C:\\Users"}', 1, 13, 'write a backslash in a text as \\\\', '\\Users"}'],
    ['{"goal": "a\u0001b"}', 1, 12, 'write a control character in a text as \\t or \\u0009', 'b"}'],
    ['🥛🥛', 1, 1, 'write a value: a text in double quotes, a number, true, false, null, {…} or […]', '🥛🥛'],
  ])('U53 %s', (text, line, column, needed, found) => {
    const place = `The body is not valid JSON at line ${line}, column ${column}`
    expect(describeJsonError(text, false)).toBe(`${place}: ${needed}. The body has there: ${found}`)
    expect(describeJsonError(text, true)).toBe(`${place}: ${needed}.`)
  })

  it.each([
    ['{"a": {"b": 1', 'line 1, column 14: close the "{" of line 1, column 7: the body ends before it.'],
    ['{"a":\n  ["b",\n', 'line 3, column 1: close the "[" of line 2, column 3: the body ends before it.'],
    [
      '{"goal": "x\n"}',
      'line 1, column 12: write a line break in a text as \\n, or close the text with a double quote.',
    ],
    ['{"🥛": "x', 'line 1, column 7: close this text with a double quote. The body has there: "x'],
  ])('U53 what ends too early is told by its beginning: %j', (text, message) => {
    expect(describeJsonError(text, false)).toBe(`The body is not valid JSON at ${message}`)
  })

  it('U53 what stands there is cut', () => {
    expect(describeJsonError(`{"a": ${'x'.repeat(500)}}`, false)).toMatch(/The body has there: x{20}…$/)
  })

  it('U53 an error is found in exactly the texts that are not JSON', () => {
    const json = fc.json()
    const broken = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom('', ',', '"', '\\', '{', ']', ':', '-', '0', '.', 'e', 'n', ' ', '\n', '\u00a0'),
      )
      .map(([text, at, sign]) => {
        const index = at % (text.length + 1)
        return text.slice(0, index) + sign + text.slice(index + (sign === '' ? 1 : 0))
      })
    fc.assert(
      fc.property(fc.oneof(json, broken, fc.string()), (text) => {
        expect(findJsonError(text) === null).toBe(parseJson(text) !== undefined)
      }),
      { numRuns: 2_000 },
    )
  })

  const routes: [string, Endpoint][] = Object.entries(ROUTES)
  const jsonRoutes = routes.filter(
    ([, { body, by_token }]) => body !== null && by_token === undefined && (body.kinds?.includes('json') ?? true),
  )
  it.each(jsonRoutes)('U53 %s says the line and the column', async (_, route) => {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'id' ? ID : 'x.csv'))
    const headers = { 'content-type': 'application/json', 'if-match': '"1"' }
    const answer = await fixture().send(route.method.toUpperCase(), path, '{\n  "a" 1}', headers)
    const problem = await problemOf(answer)
    expect(problem['code']).toBe('invalid_json')
    expect(problem['detail']).toContain('at line 2, column 7: write ":" after the name.')
  })
})
