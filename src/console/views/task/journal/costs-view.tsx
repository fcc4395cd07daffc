/** The cost of each effect as a chart and as tables: by step, and by item of the plan. */
import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry, TaskView } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { Fold } from '../../../parts/fold.tsx'
import { Scroll } from '../../../parts/scroll.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { CostChart } from './cost-chart.tsx'
import {
  amountText,
  costsOf,
  runningSums,
  itemCosts,
  MEASURES,
  microDollars,
  type Cost,
  type Measure,
} from './costs.ts'

const WORDS = wordTable({
  title: ['What it cost', '花费'],
  measure: ['Measure', '度量'],
  tokens: ['Tokens', 'Token'],
  cost: ['Cost', '费用'],
  seconds: ['Seconds', '秒'],
  table: ['As a table', '以表格查看'],
  items: ['By item of the plan', '按计划项'],
  row: ['Row', '行'],
  what: ['Effect', '操作'],
  sum: ['Sum', '累计'],
  item: ['Item', '计划项'],
  steps: ['Steps', '步数'],
  rest: ['of no item (planning and the like)', '不属于任何计划项（如制定计划）'],
})

/** Returns the limit of a measure; null if there is none. */
function limitOf({ budget }: TaskView, measure: Measure): number | null {
  if (measure === 'cost') return budget.cost_usd.max === null ? null : microDollars(budget.cost_usd.max)
  return measure === 'tokens' ? budget.tokens.max : budget.seconds.max
}

export function CostsView({ rows }: { rows: readonly JournalEntry[] }) {
  const words = useWords(WORDS)
  const { task } = useTask()
  const [measure, setMeasure] = useState<Measure>('tokens')
  const costs = useMemo(() => costsOf(rows), [rows])
  if (costs.length === 0) return null
  return (
    <section class="card stack" aria-label={words.title}>
      <div class="row">
        <h2>{words.title}</h2>
        <fieldset class="row push">
          <legend class="aside">{words.measure}</legend>
          {MEASURES.map((name) => (
            <Button key={name} kind="quiet" pressed={name === measure} onClick={() => setMeasure(name)}>
              {words[name]}
            </Button>
          ))}
        </fieldset>
      </div>
      <CostChart costs={costs} measure={measure} limit={limitOf(task, measure)} label={words[measure]} />
      <Fold title={words.table}>{() => <CostTable costs={costs} measure={measure} />}</Fold>
      <Items costs={costs} />
    </section>
  )
}

function CostTable({ costs, measure }: { costs: readonly Cost[]; measure: Measure }) {
  const words = useWords(WORDS)
  const sums = runningSums(costs, measure)
  return (
    <Scroll kind="journal-table" label={words.table}>
      <table class="number small">
        <TableHead columns={[words.row, words.what, words[measure], words.sum]} />
        <tbody>
          {costs.map((cost, index) => (
            <tr key={cost.seq}>
              <th scope="row">{cost.seq}</th>
              <td>{cost.label}</td>
              <td>{amountText(measure, cost[measure])}</td>
              <td>{amountText(measure, sums[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Items({ costs }: { costs: readonly Cost[] }) {
  const words = useWords(WORDS)
  const { events } = useTask()
  const isNamed = useMemo(() => events.some(({ payload }) => typeof payload['item_id'] === 'string'), [events])
  if (!isNamed) return null
  return <Fold title={words.items}>{() => <ItemTable costs={costs} />}</Fold>
}

function ItemTable({ costs }: { costs: readonly Cost[] }) {
  const words = useWords(WORDS)
  const { task, events } = useTask()
  const { items } = task.plan
  const sums = useMemo(() => itemCosts(costs, events, items), [costs, events, items])
  return (
    <Scroll kind="journal-table" label={words.items}>
      <table class="number small">
        <TableHead columns={[words.item, words.steps, ...MEASURES.map((name) => words[name])]} />
        <tbody>
          {sums.map((item) => (
            <tr key={item.id}>
              <th scope="row">{item.id === null ? words.rest : item.title}</th>
              <td>{item.counted}</td>
              {MEASURES.map((name) => (
                <td key={name}>{amountText(name, item[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
