/** The cost of each effect as a chart and as tables: by step, and by item of the plan. */
import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry, TaskView } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { Fold } from '../../../parts/fold.tsx'
import { Scroll } from '../../../parts/scroll.tsx'
import { useWords } from '../../../state/preferences.tsx'
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

const WORDS = {
  en: {
    title: 'What it cost',
    measure: 'Measure',
    tokens: 'Tokens',
    cost: 'Cost',
    seconds: 'Seconds',
    table: 'As a table',
    items: 'By item of the plan',
    row: 'Row',
    what: 'Effect',
    sum: 'Sum',
    item: 'Item',
    steps: 'Steps',
    rest: 'of no item (planning and the like)',
  },
  zh: {
    title: '花费',
    measure: '度量',
    tokens: 'Token',
    cost: '费用',
    seconds: '秒',
    table: '以表格查看',
    items: '按计划项',
    row: '行',
    what: '操作',
    sum: '累计',
    item: '计划项',
    steps: '步数',
    rest: '不属于任何计划项（如制定计划）',
  },
}

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
        <thead>
          <tr>
            <th scope="col">{words.row}</th>
            <th scope="col">{words.what}</th>
            <th scope="col">{words[measure]}</th>
            <th scope="col">{words.sum}</th>
          </tr>
        </thead>
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
        <thead>
          <tr>
            <th scope="col">{words.item}</th>
            <th scope="col">{words.steps}</th>
            {MEASURES.map((name) => (
              <th key={name} scope="col">
                {words[name]}
              </th>
            ))}
          </tr>
        </thead>
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
