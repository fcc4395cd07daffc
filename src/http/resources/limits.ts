/** The limits of the tenant and of the key that asks, with what is used of them (LIM-10). */
import { spendLimitsOf } from '../../core/workspace/limits.ts'
import { answerReply, endpoint, replyTo } from '../endpoint.ts'
import { jsonAnswer } from '../route-builders.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'

export const LIMIT_ROUTES = {
  getLimits: endpoint(
    {
      method: 'get',
      path: '/limits',
      tag: 'Service',
      open: false,
      summary: 'Your limits, and what is used of them',
      description:
        'The limits in force for your tenant, and those of your key if it has any: requests, open tasks, bytes, tokens and money of the UTC ' +
        'day and of the calendar month, models and hosts. The strictest one wins. What tasks have reserved for their next calls counts as used.',
      params: NoParams,
      query: NoQuery,
      body: null,
      headers: [],
      success: jsonAnswer('The limits', 'Limits'),
      also: [],
      problems: [],
    },
    async ({ service, limits_of, now }, { caller }) => {
      const limits = await limits_of(caller.tenant, caller.key_name)
      const { limitLines, limitsView } = await import('../text/limits.ts')
      return replyTo(await service.limitUse(caller, spendLimitsOf(limits)), (use) => {
        const view = limitsView(limits, use, now())
        return answerReply(view, () => limitLines(view))
      })
    },
  ),
}
