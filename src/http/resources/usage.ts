/** What a tenant has used, by day, key, model and mode. */
import { DAY_MS } from '../../core/terms/plain/durations.ts'
import { dayOf } from '../../core/workspace/daily-totals.ts'
import { USAGE_DAYS } from '../../core/terms/values/usage-sums.ts'
import { answerReply, endpoint, refusalReply, replyTo } from '../endpoint.ts'
import { answerInForms } from '../route-builders.ts'
import { NoParams } from '../shapes/fields.ts'
import { groupsIn, UsageQuery } from '../shapes/telemetry-requests.ts'

/** The days of an answer where nobody says how many. */
const DAYS_SHOWN = 30

export const USAGE_ROUTES = {
  getUsage: endpoint(
    {
      method: 'get',
      path: '/usage',
      tag: 'Service',
      open: false,
      for_operators: true,
      summary: 'What the tenant has used',
      description:
        'Tasks, calls, steps, tokens, money and working time, summed by UTC day, key, model or mode. The sums follow from the journals of the ' +
        'tasks and are exact, but rows of the last seconds may be missing. Deleted tasks count too. `Accept: text/csv` gives one line for each sum.',
      params: NoParams,
      query: UsageQuery,
      body: null,
      headers: [],
      success: answerInForms('The sums', 'Usage', 'text/csv'),
      also: [],
      problems: ['usage_off'],
    },
    async ({ service, now }, { caller, query }) => {
      const refuseField = (name: string, message: string) =>
        refusalReply({ code: 'validation_failed', errors: [{ pointer: `/${name}`, message: `${name} ${message}` }] })
      const is_operator = caller.is_operator === true
      if (is_operator && query.tenant === undefined) return refuseField('tenant', 'is needed with ADMIN_KEY: name one')
      if (!is_operator && query.tenant !== undefined && query.tenant !== caller.tenant)
        return refuseField('tenant', 'may name another tenant with ADMIN_KEY only')
      const to = query.to ?? dayOf(now())
      const from = query.from ?? dayOf(Date.parse(to) - (DAYS_SHOWN - 1) * DAY_MS)
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
      if (days < 1) return refuseField('from', `must not be after to, which is ${to}`)
      if (days > USAGE_DAYS) return refuseField('from', `must be at most ${USAGE_DAYS} days before to, not ${days}`)
      const asked = { tenant: query.tenant ?? caller.tenant, from, to, group_by: groupsIn(query.group_by) }
      return replyTo(await service.getUsage(caller, asked), (usage) => ({
        ...answerReply(usage, async () => (await import('../text/usage-text.ts')).usageText(usage)),
        csv: { text: async () => (await import('../text/usage-text.ts')).usageCsv(usage), headers: {} },
      }))
    },
  ),
}
