/** The examples of the routes about secrets. */
import { onlyPage } from './delegation-examples.ts'
import type { SecretView } from '../../core/shown/secret-view.ts'

export const SECRET_EXAMPLE: SecretView = {
  name: 'orders',
  hosts: ['api.example.com'],
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
  last_used_at: null,
}

export const SECRET_EXAMPLES = {
  putSecret: {
    request: { value: 'sk-4f0c2b71d8', hosts: ['api.example.com'] },
    answer: SECRET_EXAMPLE,
    also: { 200: SECRET_EXAMPLE },
  },
  getSecret: { answer: SECRET_EXAMPLE },
  listSecrets: { answer: onlyPage(SECRET_EXAMPLE) },
}
