/** Asks the offline model as mode orchestrator does, and what its replies have to look like. */
import * as z from 'zod'
import { guessLocale } from '../../src/core/terms/locale.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { CALL, NOW, requestOf } from './offline-driver.ts'

const title = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\S(?:[^\n\r]*\S)?$/u)
const Step = z.strictObject({
  title,
  description: z.string().min(1),
  constraints: z.string(),
  expected_output: z.string().min(1),
})
export const PlanReply = z.strictObject({ steps: z.array(Step).min(1).max(20) })
export const EvaluationReply = z.strictObject({
  reason: z.string().min(1).max(300),
  decision: z.enum(['next', 'retry', 'replan', 'abort']),
  current_step: z.enum(['done', 'open']).nullable(),
  adjusted_steps: z.array(Step).max(20),
})
export type Evaluation = z.infer<typeof EvaluationReply>
type Step = z.infer<typeof Step>

export const titlesOf = (steps: readonly Step[]): string[] => steps.map((step) => step.title)

/** What it says, or an exception with why it says nothing. */
export async function ask(context: Record<string, unknown>): Promise<string> {
  const request = requestOf({ local_time: NOW, timezone: 'UTC', remarks: [], ...context })
  const metadata = { ...request.metadata, mode: 'orchestrator' as const, phase: String(context['phase']) }
  const said = await offlineModel().complete({ ...request, metadata }, CALL)
  if (said.kind === 'model_failed') throw new Error(said.reason)
  return said.text
}

export interface Asked {
  locale?: 'en' | 'zh'
  remarks?: string[]
  plan?: Step[]
  requested_change?: string
}
export async function planOf(goal: string, more: Asked = {}): Promise<z.infer<typeof PlanReply>> {
  const context = { phase: 'plan', goal, locale: guessLocale(goal), step_count: 0, max_steps: 100, ...more }
  return PlanReply.parse(JSON.parse(await ask(context)))
}

export interface Told {
  goal?: string
  locale?: 'en' | 'zh'
  remarks?: string[]
  /** The titles of the steps that are completed, and of those behind the current one. */
  completed?: string[]
  remaining?: string[]
  plan?: Step[]
  retries_left?: number
  replans_left?: number
  report: { status: string; results?: string; pitfalls?: string; next_steps?: string; text?: string }
}
/** The second of three steps, unless something else is told. */
export async function evaluationOf({
  report,
  completed = ['Reproduce the project'],
  remaining = ['Write a report'],
  ...told
}: Told): Promise<Evaluation> {
  const current = { id: 'step_2', title: 'Raise its accuracy', description: '', constraints: '', expected_output: '' }
  const reply = await ask({
    phase: 'evaluate',
    goal: 'Reproduce the project, raise its accuracy, then write a report',
    locale: 'en',
    completed: completed.map((title, index) => ({ id: `step_${index + 1}`, title, status: 'completed', result: '' })),
    current_item: current,
    attempt: 1,
    retries_left: 2,
    replans_left: 3,
    instruction: null,
    remaining,
    report: { session_id: null, results: null, pitfalls: null, next_steps: null, text: '', ...report },
    ...told,
  })
  return EvaluationReply.parse(JSON.parse(reply))
}
