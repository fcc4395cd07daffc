/**
 * The tool `fetch_url`: reads a page of the web as text (docs/tools.md). The first call loads the rest of this room, so that a start does not
 * pay for it.
 */
import type { Tool } from '../../shell/tool-ports.ts'
import type { FetchUrlPorts } from './fetch-page.ts'

/**
 * Codes: `page_read`, `page_empty`, `page_described`; `usage_error`, `address_refused`, `redirect_refused`, `robots_refused`, `no_answer`, `http_error`,
 * `no_such_page`, `unreadable`, `compute_failed`, `busy`.
 */
export const fetchUrl = (ports: FetchUrlPorts): Tool => ({
  name: 'fetch_url',
  async run(input, call) {
    const { fetchPage } = await import('./fetch-page.ts')
    const reach = { ...ports.reach, tenant_hosts: await ports.hosts_of(call.tenant) }
    return await fetchPage({ ...ports, reach }, input, call)
  },
})
