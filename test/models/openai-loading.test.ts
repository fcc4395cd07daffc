/** The openai package is loaded by the first call, not by the start of the service. */
import { expect, it, vi } from 'vitest'
import { openaiModel } from '../../src/models/openai.ts'
import { CALL, COMPLETION, request } from './openai-support.ts'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('openai', async (original) => {
  loads.count += 1
  return original()
})

it('making a model loads nothing, the first call loads the package, the second finds it loaded', async () => {
  const fetch = async () => Response.json(COMPLETION)
  const model = openaiModel({ api_key: 'key', base_url: 'http://model.test/v1', model: 'm' }, { fetch })
  expect(loads.count).toBe(0)
  expect(await model.complete(request(), CALL)).toMatchObject({ kind: 'model_replied' })
  expect(await model.complete(request(), CALL)).toMatchObject({ kind: 'model_replied' })
  expect(loads.count).toBe(1)
})
