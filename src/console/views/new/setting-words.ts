/** Says in Chinese what each setting does. In English the document of the service says it. */
import type { TaskView } from '../../api/wire.ts'

const MEANINGS: Record<keyof TaskView['settings'], string> = {
  max_steps: '步数预算：思考、重新计划和操作；在 dynamic 中为操作数，在 orchestrator 中为命令数',
  max_iterations: '模型的迭代次数：autonomous 全程，session 每一轮',
  max_tokens: '所有模型调用的 token 总数，含输入与输出',
  max_cost_usd: '所有模型调用的费用上限（美元），如 "0.50"；所用模型须有已知价格',
  max_seconds: '工作时间（秒）：模型与工具的调用；等待不计时',
  strict_replies: '回复是否必须仅为一个 JSON 对象；否则从回复中读取其所指的对象',
  calls: '`few`：减少模型调用次数：原生调用工具，思考可直接结束一项，计划未变时不重新制定',
  plan_retries: '计划调用未得到计划时可再尝试的次数，不计费',
  failure_limit: '连续失败多少次后任务停止；同一条目的操作失败这么多次后不再执行',
  max_clarifications: '最多可向人提问的次数',
  observation_char_limit: '每个结果展示给模型的最多字符数',
  observation_history_limit: '展示给模型的最近结果条数',
  cancel_phrase: '取消任务的输入',
  continue_grants: '预算用尽后，“继续”是否再次给予原来的额度',
  model: '所有阶段使用的模型：GET /models 所列的名称，或默认端点的模型名；空值：按服务配置',
  models: '为某些阶段单独指定模型，名称同上',
  temperature: '模型用词的自由程度',
  reasoning_effort: '模型回复前思考的程度；null 表示由端点决定。思考也计入 `max_output_tokens`',
  phases: '某些阶段的 temperature、思考程度与回复上限',
  model_timeout_s: '一次模型调用的最长秒数',
  model_silence_s: '流式回复中两部分之间的最长秒数；第一部分之前只看 `model_timeout_s`',
  max_output_tokens: '模型一次回复的最多 token 数',
  question_ttl_s: '提问等待回答的秒数',
  on_question_expired: '提问过期未答时任务如何处理：暂停或失败',
  approve: '执行前需要人批准什么：不需要、计划或每个操作',
  auto_continue: 'session：是否自动继续到 max_iterations 的五倍，然后失败',
  agent_mode: 'autonomous：由模型自主推进，还是由程序分阶段推进',
  dataset: 'autonomous：所分析文件的名称；空值：唯一的表格，或目标中提到的表格',
  transcript_token_limit: 'autonomous、session：展示给模型的对话的估计 token 数',
  tool_boundary_hint: 'session：只读的步骤在开始写入时是否视为完成',
  fallback_by_step_size: 'session：内容较多的步骤在视为完成前，是否可以超过五轮',
  plan_templates: 'session：目标含有某些词而模型未声明步骤时采用的步骤',
  max_actions_per_step: 'dynamic：一个步骤的最多操作数，超过即失败',
  repeat_action_limit: 'dynamic：同一操作可连续重复的次数；之后先警告、再拒绝、最后结束该步骤',
  step_timeout_s: 'dynamic：一个步骤的最长工作秒数',
  max_adjustments: 'dynamic：可以改动计划的决策次数',
  dynamic_planning: 'dynamic：决策是否可以增删步骤',
  merged_calls: 'dynamic：是否用一次模型调用代替思考、决策和操作三次调用',
  report_timeout_s: 'orchestrator：等待命令报告的秒数',
  worker_pool: 'orchestrator：命令所属的工作者池；空值：默认池',
  max_retries_per_step: 'orchestrator：步骤失败后可再尝试的次数，之后询问人',
  max_replans: 'orchestrator：剩余步骤可被替换的次数，之后询问人',
  command_budget: 'orchestrator：每条命令可用的预算；空值：不作说明',
  search_top_k: '展示给模型的搜索结果条数',
  respect_robots: 'fetch_url 是否遵守 robots.txt',
  schedule_window_days: '日程列表或视图最多跨越的天数',
  conflict_preview_days: '检查无限重复的日程是否冲突的天数',
}

/** The document ends each description like this: `; default 20, in session 200, unless configured otherwise`. */
const DEFAULT = /; default ([^;]*), unless configured otherwise$/

/** `description` is that of the document and contains the default. An unknown setting keeps it unchanged. */
export function helpInChinese(name: string, description: string): string {
  // The document may have names that the table does not have.
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name as keyof typeof MEANINGS] : null
  if (meaning === null) return description
  const preset = DEFAULT.exec(description)?.[1]?.replaceAll(/\bin (\w+) /g, '$1 为 ')
  return preset === undefined ? meaning : `${meaning}；默认 ${preset}（除非另有配置）`
}
