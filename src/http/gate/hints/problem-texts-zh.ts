/**
 * Titles and details of problems in Chinese, by code. The English ones are in shapes/problems.ts and problem-content.ts. A code without a
 * text here does not compile. What names fields, signs or variables stays in English, in brackets, because it is to be typed as it stands.
 */
import { dollars } from '../../../core/terms/money.ts'
import type {
  FieldError,
  HttpRefusal,
  KeyMistake,
  ProblemCode,
  TenantFault,
  TokenFault,
} from '../../shapes/http-refusal.ts'

type Detail<C extends ProblemCode> = (refusal: Extract<HttpRefusal, { code: C }>) => string

export const PROBLEM_TEXTS_ZH: { [C in ProblemCode]: readonly [title: string, detail: Detail<C>] } = {
  invalid_url: ['地址无法读取', () => '无法读取请求的地址：请检查路径和 Host 请求头。'],
  invalid_json: ['JSON 无法读取', ({ detail }) => `请求体不是合法的 JSON（${detail}）`],
  unreadable_body: ['请求体无法读取', ({ detail }) => `请求体无法读取，或者没有传完（${detail}）`],
  unauthorized: [
    '未授权',
    ({ given, mistake, token }) => (token === undefined ? unauthorizedDetail(given, mistake) : TOKEN_FAULTS[token]),
  ],
  no_tenant: ['登录没有租户', ({ claim, fault }) => `这个令牌的声明 "${claim}" ${TENANT_FAULTS[fault]}。`],
  worker_key: ['密钥只供工作者使用', () => '这个密钥只能列出、读取、认领和报告委派，不能用于其他地址。'],
  insufficient_scope: [
    '密钥缺少权限',
    ({ needed, given }) =>
      `这个路由需要带有 ${needed} 权限的密钥；这个密钥的权限是：${given.length === 0 ? '无' : given.join('、')}。`,
  ],
  operator_only: ['只有运营者可以', () => '只有 ADMIN_KEY 可以这样做。'],
  grant_exceeded: [
    '密钥的权限会更多',
    ({ errors }) => `密钥不能有您的密钥没有的权限${quoted(errors[0]?.message ?? '')}。`,
  ],
  tenant_disabled: ['租户已停用', () => '这个租户已停用：在运营者启用之前，它的密钥和链接都不能使用。'],
  not_found: ['没有这个地址', ({ hint }) => `没有这个路由${quoted(hint ?? '')}；GET /openapi.yaml 列出全部路由。`],
  link_not_found: ['没有这个链接', () => '没有这个链接：它可能在传送中被截断或改动。'],
  task_not_found: ['没有这个任务', () => '没有这个任务。'],
  file_not_found: ['没有这个文件', () => '任务没有这个文件；GET /tasks/{id}/files 列出已有的文件。'],
  delivery_not_found: ['没有这次投递', () => '没有这次投递；GET /webhooks/deliveries 列出已放弃的投递。'],
  delegation_not_found: ['没有这个委派', () => '没有这个委派；GET /delegations?status=pending 列出等待工作者的委派。'],
  tenant_not_found: [
    '没有这个租户',
    ({ hint }) => `没有这个租户；GET /admin/tenants 列出已有的租户。${quoted(hint.replace(/^; /, ''))}`,
  ],
  key_not_found: ['没有这个密钥', () => '没有这个密钥；GET /admin/keys 列出已有的密钥。'],
  tenant_exists: [
    '租户已经存在',
    ({ name, is_deleted }) =>
      is_deleted
        ? `租户 "${name}" 已被删除，名称仍然保留：请换一个名称。`
        : `已经有租户 "${name}"：请用 PATCH 更改它。`,
  ],
  tenant_enabled: ['租户尚未停用', ({ name }) => `请先停用 "${name}"：PATCH {"disabled": true}，然后再删除。`],
  too_many_tenants: ['租户太多', ({ max }) => `最多有 ${max} 个租户；请先删除一些。`],
  too_many_keys: ['密钥太多', ({ max }) => `一个租户最多有 ${max} 个有效的密钥；请先撤销一些。`],
  key_ended: [
    '密钥已经失效',
    ({ id, state, successor }) =>
      state === 'replaced'
        ? `密钥 ${id} 已由 ${successor ?? ''} 接替：请轮换那一个，或先撤销它。`
        : `密钥 ${id} ${state === 'revoked' ? '已被撤销' : '已经过期'}。`,
  ],
  secret_not_found: [
    '没有这个秘密值',
    ({ hint }) => `没有这个名称的秘密值；GET /secrets 列出已有的秘密值。${quoted(hint.replace(/^; /, ''))}`,
  ],
  receiver_not_found: ['没有跟踪接收方', () => '租户没有指定跟踪接收方；PUT /telemetry 可指定一个。'],
  usage_off: ['没有统计用量', () => '这里不统计用量：运营者把 USAGE 设为 off。'],
  traces_off: ['不发送跟踪', () => '这里不发送跟踪：请联系服务的运营者开启。'],
  schedule_not_found: [
    '没有这个定时任务',
    ({ hint }) => `没有这个名称的定时任务；GET /schedules 列出已有的定时任务。${quoted(hint.replace(/^; /, ''))}`,
  ],
  agent_not_found: [
    '没有这个智能体',
    ({ name, version, hint }) =>
      version === null
        ? `没有这个名称的智能体；GET /agents 列出已有的智能体。${quoted(hint.replace(/^; /, ''))}`
        : `没有保留 ${name}@${version}；GET /agents/${name}/versions 列出已有的版本。${quoted(hint.replace(/^; /, ''))}`,
  ],
  agent_changed: [
    '智能体已经更改',
    ({ name, version, is_new }) =>
      version === null
        ? `还没有智能体 "${name}"：请去掉 If-Match。`
        : is_new
          ? `已经有智能体 "${name}"，版本是 ${version}：去掉 If-None-Match 即可写入下一个版本。`
          : `智能体的版本是 ${version}：GET /agents/${name} 的 ETag 可用于 If-Match。`,
  ],
  agent_in_use: [
    '智能体正在使用',
    ({ name, tasks, ids }) =>
      `"${name}" 创建的 ${tasks} 个任务还没有结束，例如 ${ids.join('、')}。请等它们结束，或发送 ?force=true：它们保留智能体的内容。`,
  ],
  too_many_agents: ['智能体太多', ({ max }) => `租户最多有 ${max} 个智能体；请先删除一个，或替换一个。`],
  method_not_allowed: ['不支持这种请求方法', ({ allow }) => `这个路由支持 ${allow.join('、')}。`],
  task_busy: ['任务正忙', () => '任务正在推进。请在 Retry-After 之后重试，或发送 Prefer: wait=N 等待。'],
  lease_lost: ['推进已被接替', () => '另一个请求接替了这个任务；请重新读取。'],
  request_in_progress: ['请求仍在处理', () => '同一 Idempotency-Key 的第一个请求仍在处理。请在 Retry-After 之后重试。'],
  task_ended: [
    '任务已经结束',
    ({ status, takes_attempts }) =>
      takes_attempts === true
        ? `任务的状态是 ${status}：模型的回复多次不符合约定。发送 "continue" 或增加 "add.attempts" 后可以继续。`
        : `任务的状态是 ${status}，不能再这样更改。`,
  ],
  task_not_ended: [
    '任务还没有结束',
    ({ status }) => `任务的状态是 ${status}：只有已经结束的任务才能重新创建。请先取消它，或从某一行分叉。`,
  ],
  question_settled: [
    '问题已有结果',
    ({ recorded }) => (recorded === undefined ? '这个 request_id 的问题没有打开。' : '问题已有结果，答案没有更改。'),
  ],
  plan_not_editable: ['计划不能编辑', ({ mode }) => `这个任务（mode ${mode}）的计划现在不能编辑。`],
  file_reserved: ['名称已被占用', ({ name }) => `任务自己维护 "${name}"：可以读取，不能上传或删除。请换一个名称。`],
  too_many_files: ['文件太多', () => '任务的文件已达上限；请先删除一个，或替换一个。'],
  too_many_secrets: ['秘密值太多', ({ max }) => `租户最多有 ${max} 个秘密值；请先删除一个，或替换一个。`],
  too_many_schedules: ['定时任务太多', ({ max }) => `租户最多有 ${max} 个定时任务；请先删除一个，或替换一个。`],
  delegation_claimed: [
    '委派已被认领',
    ({ worker, until }) =>
      `${worker} 正在处理，直到 ${new Date(until).toISOString()}。请在 Retry-After 之后重试，或处理另一个委派。`,
  ],
  delegation_expired: ['委派已经过期', () => '期限已过，任务没有等待报告而继续。没有记录任何内容。'],
  delegation_canceled: ['委派已被撤回', () => '这条命令已被撤回：任务已经结束，或者计划已经更改。没有记录任何内容。'],
  already_reported: [
    '已经有了报告',
    ({ recorded }) => `这条命令已有报告${quoted(recorded ?? '')}，仍然有效。您的报告与它不同，没有采纳。`,
  ],
  wrong_command: [
    '报告属于另一条命令',
    ({ wanted, given }) => `报告是关于 ${given} 的，这个委派是 ${wanted}。没有记录任何内容。`,
  ],
  expired: ['链接已经过期', () => '这个链接已经过期。'],
  precondition_failed: [
    '任务已经更改',
    ({ version, waiting }) =>
      waiting
        ? '另一次对计划的编辑正在等待当前步骤结束。请在结束后重新读取任务。'
        : `任务现在是版本 ${version}：请重新读取；如果更改仍然合适，请发送 If-Match: "${version}"。`,
  ],
  payload_too_large: [
    '请求体太大',
    ({ max_bytes, stored }) =>
      stored === true ? `报告写成 JSON 后最多 ${max_bytes} 字节。` : `请求体最多 ${max_bytes} 字节。`,
  ],
  file_too_large: ['文件太大', ({ max_bytes }) => `文件最多 ${max_bytes} 字节。`],
  unsupported_media_type: [
    '不支持这种内容类型',
    ({ detail, accepted }) => `请求体的类型应为 ${accepted.join(' 或 ')}（${detail}）`,
  ],
  validation_failed: ['请求不符合要求', ({ errors, hint }) => validationDetail(errors, hint)],
  idempotency_key_reused: ['Idempotency-Key 已被使用', () => '这个 Idempotency-Key 曾用于另一个请求体；请换一个。'],
  model_not_budgetable: [
    '模型没有价格',
    ({ models }) => `不知道 ${models.join('、')} 的价格：限定费用时，MODEL_PRICES 中需要有它的价格。`,
  ],
  llm_not_configured: [
    '没有配置模型',
    () => '没有配置模型：请设置 OPENAI_API_KEY 或 OPENAI_BASE_URL，或者 MODEL_PROVIDER=offline。',
  ],
  precondition_required: ['需要 If-Match', () => '请发送 If-Match，其值是您看到的任务的 ETag，例如 If-Match: "7"。'],
  rate_limited: [
    '请求过于频繁',
    ({ per_minute, policy }) =>
      policy === 'key' ? `这个密钥每分钟最多 ${per_minute} 个请求。` : `每分钟最多 ${per_minute} 个请求。`,
  ],
  quota_exceeded: [
    '配额已用尽',
    (refusal) =>
      'open' in refusal
        ? `${refusal.holder === 'key' ? '这个密钥' : ''}最多可有 ${refusal.max} 个未结束的任务，现有 ${refusal.open} 个。请等待、取消或删除一些。`
        : `为您存储的内容最多 ${refusal.bytes_max} 字节，现有 ${refusal.bytes} 字节。请删除任务或文件。`,
  ],
  too_many_watchers: ['查看者太多', ({ max }) => `一个任务最多有 ${max} 个查看者。请关闭一个，或分页读取事件。`],
  tenant_budget_exceeded: [
    '总额已用尽',
    ({ spent: { holder, period, axis, limit }, resets_ms }) => {
      const whose = holder === 'key' ? '这个密钥' : '租户'
      const amount = axis === 'tokens' ? `${limit} 个 token` : `${dollars(limit)} 美元`
      const span = period === 'day' ? '这个 UTC 日' : '这个日历月'
      return `${whose}在${span}的总额（${amount}）已用尽，到 ${new Date(resets_ms).toISOString()} 重新计算。`
    },
  ],
  schedule_budget_exceeded: [
    '定时任务的当日预算已用尽',
    ({ name }) => `"${name}" 今天的各次运行已用尽当日预算：请提高 daily，或等到其时区的下一天。`,
  ],
  internal_error: ['内部错误', () => '服务出错了。凭这个应答的 X-Request-Id 可以在日志中找到。'],
  state_unreadable: [
    '任务无法读取',
    () => '这个任务的存储状态无法读取，已原样保留：GET /tasks/{id}/export 给出它的各行。其他任务不受影响。',
  ],
  not_configured: ['尚未配置', ({ reasons }) => `服务尚未配置完成（${reasons.join('; ')}）`],
  unavailable: [
    '暂时不可用',
    ({ what = 'task' }) => (what === 'task' ? '服务无法访问任务，请重试。' : '服务无法核对密钥，请重试。'),
  ],
  issuer_unreachable: ['无法访问签发者', () => '无法访问登录的签发者，暂时不能验证令牌。密钥照常可用。请重试。'],
  shutting_down: ['正在关闭', () => '服务的这个进程正在结束。请在 Retry-After 之后重试。'],
  storage_full: ['存储已满', () => '没有空间存储这个更改，更改没有生效。已存储的内容仍可读取；请联系服务的运营者。'],
}

const quoted = (text: string) => (text === '' ? '' : `（${text}）`)

/** The messages of the fields stay in English, so the detail names the first one as it stands in `errors`. */
function validationDetail(errors: readonly FieldError[], hint: string | undefined): string {
  const [first] = errors
  const more = errors.length > 1 ? `，另有 ${errors.length - 1} 处` : ''
  const place = first === undefined || first.pointer === '' ? '请求' : `“${first.pointer.slice(1)}”`
  return `${place}不符合要求${more}${quoted(first?.message ?? '')}。${hint === undefined ? '' : quoted(hint)}`
}

const RIGHT_KEY = 'Authorization: Bearer <key>'

function unauthorizedDetail(given: boolean, mistake: KeyMistake | undefined): string {
  if (mistake === undefined) return given ? '这个密钥或链接不存在，或者已经失效。' : `请发送密钥：${RIGHT_KEY}。`
  switch (mistake.kind) {
    case 'no_scheme':
      return `请在密钥前加上 "Bearer "：${RIGHT_KEY}。`
    case 'no_key':
      return `"Bearer" 之后没有密钥：${RIGHT_KEY}。存放密钥的变量设置了吗？`
    case 'quoted':
      return `请去掉值中的引号：${RIGHT_KEY}。`
    case 'placeholder':
      return '请把 "Bearer" 之后的文字换成您的密钥。单引号中的 $KEY 不会被 shell 替换。'
    case 'colon':
      return `请把 "Bearer" 之后的符号换成空格：${RIGHT_KEY}。`
    case 'twice':
      return `"Bearer" 只写一次：${RIGHT_KEY}。`
    case 'in_query':
      return `请用请求头发送密钥，不要放在查询参数中：${RIGHT_KEY}。`
    case 'damaged':
      return '这个密钥不完整：校验和不符。请复制整个密钥，从 la_ 到最后一个字符。'
    case 'expired':
      return '这个密钥已经过期。请使用接替它的密钥，或联系管理密钥的人。'
    case 'revoked':
      return '这个密钥已被撤销。请向管理密钥的人要一个新的。'
    case 'other_scheme':
      return `请把 "${mistake.scheme}" 换成 "Bearer"，其后写密钥本身：${RIGHT_KEY}。`
    case 'other_header':
      return `请用 ${RIGHT_KEY} 代替 ${mistake.header} 发送密钥。`
  }
}

const TOKEN_FAULTS: Readonly<Record<TokenFault, string>> = {
  too_long: '这个令牌太长：最多读取 16384 个字符。',
  malformed: '这个令牌无法读取：它应为紧凑格式的已签名 JWT，由两个点分隔的三部分组成。',
  algorithm: '这个令牌的签名算法（alg）不被接受：请使用 256、384 或 512 位的 RS、PS、ES，或 EdDSA。',
  type: '这是另一种类型（typ）的令牌，不是访问令牌或 ID 令牌。',
  issuer: '这个令牌的签发者（iss）不是这里接受的签发者。',
  key: '签发者没有这个令牌所指名称（kid）的密钥。',
  signature: '这个令牌的签名不正确：它被更改过，或由另一个密钥签名。',
  audience: '这个令牌是给另一个服务的：其受众（aud）不是本服务。',
  expiry: '这个令牌没有说明何时过期（exp）。',
  expired: '这个令牌已经过期（exp）：请获取新的令牌。',
  not_yet_valid: '这个令牌尚未生效（nbf）。',
  bound: '这个令牌绑定了客户端的密钥（cnf），这里无法验证：请获取不绑定的令牌。',
  subject: '这个令牌没有说明属于谁：需要 sub、common_name、client_id 或 azp。',
  cross_site: '这个请求由另一个网站的页面发出。只有 Authorization 中的密钥或令牌才有效。',
  sign_in: '签发者没有接受这次登录，或不再接受：请重新开始。',
  nonce: '签发者给出的内容不属于这次登录：请重新开始。',
}

const TENANT_FAULTS: Readonly<Record<TenantFault, string>> = {
  missing: '不存在，而它必须指明租户',
  no_text: '既不是文字也不是文字列表，而它必须指明租户',
  no_name: '不是租户的名称：最多 64 个字母、数字、点、下划线和连字符',
  unlisted: '没有代表租户的值：请联系服务的运营者',
  several: '的值代表多个租户，而一个令牌只能属于一个租户',
}
