/** Why an MCP server gave no result, in the language of the task. Models read these texts, and the events show them. */
import type { Locale } from '../../core/terms/locale.ts'

type Text = (detail: string) => string
/** How a failure ends a call, and whether another try of a list might succeed. */
interface FailureWords {
  /** `sent`: the code where the server was asked to act, and otherwise nothing was called. */
  code: 'usage_error' | 'not_called' | 'tool_error' | 'bad_answer' | 'sent'
  passing: boolean
  text: Record<Locale, Text>
}
const words = (code: FailureWords['code'], en: Text, zh: Text, passing = false): FailureWords => ({
  code,
  passing,
  text: { en, zh },
})

export const MCP_TEXTS = {
  no_object: words(
    'usage_error',
    () => 'not called: the arguments must be one JSON object',
    () => '未调用：参数必须是一个 JSON 对象',
  ),
  deep_arguments: words(
    'usage_error',
    () => 'not called: the arguments nest too deep',
    () => '未调用：参数嵌套过深',
  ),
  do_not_fit: words(
    'usage_error',
    (mismatch) => `not called: the arguments do not fit the parameters: ${mismatch}`,
    (mismatch) => `未调用：参数不符合 parameters：${mismatch}`,
  ),
  address: words(
    'not_called',
    (error) => `an address of the server ${error}`,
    (error) => `服务器的地址不被允许：${error}`,
  ),
  secret: words(
    'not_called',
    (error) => `a secret cannot be used: ${error}`,
    (error) => `无法使用密钥：${error}`,
  ),
  unauthorized: words(
    'not_called',
    (error) => `the server refuses the service (HTTP 401)${error === '' ? '' : `: ${error}`}`,
    (error) => `服务器拒绝访问（HTTP 401）${error === '' ? '' : `：${error}`}`,
  ),
  insufficient_scope: words(
    'not_called',
    (scope) => `the access token has too little scope${scope === '' ? '' : `: the server wants ${scope}`}`,
    (scope) => `访问令牌的权限不足${scope === '' ? '' : `：服务器要求 ${scope}`}`,
  ),
  authorization: words(
    'not_called',
    (error) => `no access token was obtained: ${error}`,
    (error) => `未能取得访问令牌：${error}`,
  ),
  timed_out: words(
    'sent',
    () => 'the server did not answer in time',
    () => '服务器未在时限内返回',
    true,
  ),
  stopped: words(
    'sent',
    () => 'the call was stopped',
    () => '调用已被停止',
    true,
  ),
  connection_failed: words(
    'sent',
    () => 'the server could not be reached',
    () => '无法连接到服务器',
    true,
  ),
  unreached: words(
    'sent',
    () =>
      'the server could not be reached: its host is unknown, has no public address, or shows no accepted certificate',
    () => '无法连接到服务器：主机名未知、没有公网地址，或证书不被接受',
  ),
  connection_lost: words(
    'sent',
    () => 'the connection to the server broke off before its answer',
    () => '与服务器的连接在返回前中断',
    true,
  ),
  http: words(
    'sent',
    (status) => `the server answered HTTP ${status}`,
    (status) => `服务器返回 HTTP ${status}`,
  ),
  http_passing: words(
    'sent',
    (status) => `the server answered HTTP ${status}`,
    (status) => `服务器返回 HTTP ${status}`,
    true,
  ),
  redirect: words(
    'bad_answer',
    (status) => `the server answered with a redirect (HTTP ${status}), which is not followed`,
    (status) => `服务器返回了重定向（HTTP ${status}），不予跟随`,
  ),
  too_large: words(
    'bad_answer',
    (limit) => `the answer of the server is larger than ${limit}`,
    (limit) => `服务器的返回超过 ${limit}`,
  ),
  too_many: words(
    'bad_answer',
    (limit) => `the server sent too much: ${limit}`,
    (limit) => `服务器发送过多：${limit}`,
  ),
  no_protocol: words(
    'bad_answer',
    (found) => `the answer is not the Model Context Protocol: ${found}`,
    (found) => `返回内容不符合 MCP 协议：${found}`,
  ),
  output: words(
    'bad_answer',
    (mismatch) => `the structured result does not fit the output schema of the tool: ${mismatch}`,
    (mismatch) => `结构化结果不符合该工具的 outputSchema：${mismatch}`,
  ),
  refused: words(
    'tool_error',
    (error) => `the server refused: ${error}`,
    (error) => `服务器拒绝：${error}`,
  ),
  unsupported_input: words(
    'tool_error',
    (method) => `the server asked for ${method}, which this service does not do`,
    (method) => `服务器请求 ${method}，本服务不支持`,
  ),
  many_questions: words(
    'tool_error',
    (most) => `the server asked more than ${most} questions in one call`,
    (most) => `服务器在一次调用中提问超过 ${most} 次`,
  ),
  task_failed: words(
    'tool_error',
    (reason) => `the task of the server failed${reason === '' ? '' : `: ${reason}`}`,
    (reason) => `服务器的任务失败${reason === '' ? '' : `：${reason}`}`,
  ),
  task_cancelled: words(
    'tool_error',
    (reason) => `the server cancelled its task${reason === '' ? '' : `: ${reason}`}`,
    (reason) => `服务器取消了任务${reason === '' ? '' : `：${reason}`}`,
  ),
  state: words(
    'tool_error',
    () => 'the call cannot go on: what was kept of it cannot be read',
    () => '调用无法继续：保存的状态无法读取',
  ),
  no_tools: words(
    'bad_answer',
    () => 'the server offers no tools',
    () => '服务器不提供工具',
  ),
  unknown_tools: words(
    'bad_answer',
    (names) => `the server has no tool ${names}`,
    (names) => `服务器没有工具 ${names}`,
  ),
} satisfies Record<string, FailureWords>
type McpFailureKind = keyof typeof MCP_TEXTS

export interface McpFailure {
  kind: McpFailureKind
  detail: string
  /** How long the server asks to be left alone, in ms. */
  retry_after_ms?: number | null
}
export const mcpFailure = (kind: McpFailureKind, detail = ''): McpFailure => ({ kind, detail })

/** What is said of a call that the server may have acted on although its answer is missing. */
export const MAY_HAVE_ACTED: Record<Locale, string> = {
  en: ': it may or may not have had its effect',
  zh: '：其操作可能已生效，也可能没有',
}
export const NOT_ACTED: Record<Locale, string> = {
  en: 'not called: ',
  zh: '未调用：',
}

/** The words of results. */
export const RESULT_WORDS: Record<
  Locale,
  {
    empty: string
    image: (name: string, size: string) => string
    file: (name: string, type: string, bytes: number) => string
    unkept: (type: string, bytes: number, why: string) => string
    link: (name: string, uri: string) => string
    resource: (uri: string) => string
    left: (parts: number) => string
    opened: (message: string, url: string) => string
    several: string
    notImage: string
    tooLarge: string
    unknownType: string
    notWritten: (why: string) => string
    notBase64: string
  }
> = {
  en: {
    empty: '(the tool gave an empty result)',
    image: (name, size) => `[image ${name}, ${size}]`,
    file: (name, type, bytes) => `[file ${name}, ${type}, ${bytes} bytes]`,
    unkept: (type, bytes, why) => `[${type}, ${bytes} bytes, not kept: ${why}]`,
    link: (name, uri) => `[resource ${name}: ${uri}]`,
    resource: (uri) => `[resource ${uri}]`,
    left: (parts) => `[${parts} more parts are left out]`,
    opened: (message, url) => `${message}\nOpen this address and confirm when it is done: ${url}`,
    several: 'The tool asks several questions:',
    notImage: 'it is not an image of that type',
    tooLarge: 'it is too large',
    unknownType: 'no file is kept of that type',
    notWritten: (why) => `it could not be written (${why})`,
    notBase64: 'it is not base64',
  },
  zh: {
    empty: '（工具返回为空）',
    image: (name, size) => `[图片 ${name}，${size}]`,
    file: (name, type, bytes) => `[文件 ${name}，${type}，${bytes} 字节]`,
    unkept: (type, bytes, why) => `[${type}，${bytes} 字节，未保留：${why}]`,
    link: (name, uri) => `[资源 ${name}：${uri}]`,
    resource: (uri) => `[资源 ${uri}]`,
    left: (parts) => `[另有 ${parts} 个部分未显示]`,
    opened: (message, url) => `${message}\n请打开此地址，完成后确认：${url}`,
    several: '该工具有多个问题：',
    notImage: '内容不是该类型的图片',
    tooLarge: '过大',
    unknownType: '该类型不保存为文件',
    notWritten: (why) => `无法写入（${why}）`,
    notBase64: '内容不是 base64',
  },
}
