/** The problems of limits: whose limit it is, what it is, and when there is room again. */
import { dollars } from '../../../core/terms/money.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'

type RefusalOf<C extends HttpRefusal['code']> = Extract<HttpRefusal, { code: C }>

export const countText = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

export const retryAfter = (seconds: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(seconds))) })

/** Money is a decimal string, as everywhere. */
export function spentContent({ reset_s, resets_ms, spent }: RefusalOf<'tenant_budget_exceeded'>) {
  const { holder: limit_of, period } = spent
  const resets_at = new Date(resets_ms).toISOString()
  const [axis, limit, unit] =
    spent.axis === 'cost'
      ? (['cost_usd', dollars(spent.limit), 'US dollars'] as const)
      : (['tokens', String(spent.limit), 'tokens'] as const)
  const span = period === 'day' ? 'this UTC day' : 'this calendar month'
  return {
    detail: `The ${limit_of}'s total of ${span} is used up, which is ${limit} ${unit}. It begins anew at ${resets_at}.`,
    headers: retryAfter(reset_s),
    members: { limit_of, period, axis, limit, resets_at },
  }
}

export function rateContent({ per_minute, retry_after_s, ...limited }: RefusalOf<'rate_limited'>) {
  const policy: string = limited.policy ?? 'tenant'
  return {
    detail: `At most ${countText(per_minute, 'request')} per minute${policy === 'key' ? ' with this key' : ''}.`,
    headers: {
      ...retryAfter(retry_after_s),
      'ratelimit-policy': `"${policy}";q=${per_minute};w=60`,
      ratelimit: `"${policy}";r=0;t=${Math.max(1, Math.ceil(retry_after_s))}`,
    },
  }
}

export function quotaContent(refusal: RefusalOf<'quota_exceeded'>) {
  if ('open' in refusal) {
    const { open: used, max, holder } = refusal
    const own = holder === 'key' ? ' that this key has made' : ''
    return {
      detail: `At most ${countText(max, 'task')}${own} may be open, and you have ${used}. Let some end, cancel or delete them.`,
      members: { quota: 'open_tasks', used, max, ...(holder === 'key' ? { limit_of: 'key' } : {}) },
    }
  }
  const { bytes, bytes_max } = refusal
  return {
    detail: `What is stored for you may take at most ${bytes_max} bytes together, and takes ${bytes} without this. Delete tasks or files.`,
    members: { quota: 'bytes', used: bytes, max: bytes_max },
  }
}
