/** The used amount and the limit of each budget axis. */
import { hasEnded } from '../../../api/live-state.ts'
import { Bar } from '../../../parts/bar.tsx'
import { Fold } from '../../../parts/fold.tsx'
import { exhaustedAxis } from '../../../parts/stop-reasons.ts'
import type { TaskView } from '../../../api/wire.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { fragmentOf } from '../../../route.ts'
import { CostSparkline } from '../journal/cost-sparkline.tsx'
import { useTask } from '../task-context.tsx'
import { axesOf } from './amounts.ts'
import { TopUp } from './top-up.tsx'
import './budget.css'

const WORDS = wordTable({
  budget: ['Budget', '预算'],
  units: [
    { steps: 'Steps', iterations: 'Iterations', actions: 'Actions', commands: 'Commands' },
    { steps: '步数', iterations: '迭代', actions: '操作', commands: '命令' },
  ],
  tokens: ['Tokens', 'Token'],
  cost: ['Cost (USD)', '费用（美元）'],
  seconds: ['Working time (s)', '工作时间（秒）'],
  unlimited: [(used: string) => `${used} · no limit`, (used) => `${used} · 无上限`],
  each: ['What each step cost', '每一步的开销'],
  more: ['Top up', '追加预算'],
  counters: ['Counters', '计数'],
  model_calls: ['Model calls', '模型调用'],
  actions: ['Actions', '操作'],
  successful_actions: ['Successful actions', '成功的操作'],
  failed_actions: ['Failed actions', '失败的操作'],
  replans: ['Replans', '重新计划'],
  iterations: ['Iterations', '迭代'],
  kinds: [
    {
      cache_read: 'Tokens from the cache',
      cache_write: 'Tokens written to the cache',
      image: 'Tokens of images',
      reasoning: 'Tokens of reasoning',
    },
    {
      cache_read: '来自缓存的 token',
      cache_write: '写入缓存的 token',
      image: '图像 token',
      reasoning: '推理 token',
    },
  ],
})
/** Kinds of tokens that are shown where an endpoint has reported some. */
const KINDS = ['cache_read', 'cache_write', 'image', 'reasoning'] as const
const COUNTERS = ['model_calls', 'actions', 'successful_actions', 'failed_actions', 'replans', 'iterations'] as const

export function BudgetCard() {
  const { task } = useTask()
  const words = useWords(WORDS)
  return (
    <section class="card stack" aria-labelledby="budget-title">
      <h2 id="budget-title">{words.budget}</h2>
      <Axes budget={task.budget} />
      {!hasEnded(task) && exhaustedAxis(task.stop_reason) === null && (
        <Fold title={<span class="soft">{words.more}</span>} kind="small">
          {() => <TopUp spent={axesOf(task.budget.unit)[0]} />}
        </Fold>
      )}
      <a class="small" href={fragmentOf({ view: 'task', id: task.id, tab: 'journal' })}>
        <CostSparkline />
        {words.each}
      </a>
      <details class="small">
        <summary class="soft">{words.counters}</summary>
        <dl class="budget-counters">
          {COUNTERS.map((name) => (
            <div key={name}>
              <dt class="soft">{words[name]}</dt>
              <dd class="number">{task.counters[name]}</dd>
            </div>
          ))}
          {KINDS.filter((kind) => task.budget.tokens.kinds[kind] > 0).map((kind) => (
            <div key={kind}>
              <dt class="soft">{words.kinds[kind]}</dt>
              <dd class="number">{task.budget.tokens.kinds[kind]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

function Axes({ budget }: { budget: TaskView['budget'] }) {
  const words = useWords(WORDS)
  const { unit, used, max, tokens, cost_usd, seconds } = budget
  const axes: [label: string, used: number | string, max: number | string | null][] = [
    [words.units[unit], used, max],
    [words.tokens, tokens.used, tokens.max],
    [words.cost, cost_usd.used, cost_usd.max],
    [words.seconds, seconds.used, seconds.max],
  ]
  return (
    <>
      {axes.map(([label, used, max]) => (
        <Bar
          key={label}
          label={label}
          used={Number(used)}
          max={max === null ? null : Number(max)}
          text={max === null ? words.unlimited(String(used)) : `${used} / ${max}`}
        />
      ))}
    </>
  )
}
