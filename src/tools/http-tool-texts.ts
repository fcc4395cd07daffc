/** Why a client's tool gave no result, in the language of the task. The model reads these texts, and the events show them. */
import type { Locale } from '../core/terms/locale.ts'

type Text = (detail: string) => string
const reason = (code: string, en: Text, zh: Text): { code: string; text: Record<Locale, Text> } => ({
  code,
  text: { en, zh },
})

export const HTTP_TOOL_TEXTS = {
  no_object: reason(
    'usage_error',
    () => 'not called: the arguments must be one JSON object',
    () => '未调用：参数必须是一个 JSON 对象',
  ),
  deep_arguments: reason(
    'usage_error',
    () => 'not called: the arguments nest too deep',
    () => '未调用：参数嵌套过深',
  ),
  do_not_fit: reason(
    'usage_error',
    (mismatch) => `not called: the arguments do not fit the parameters: ${mismatch}`,
    (mismatch) => `未调用：参数不符合 parameters：${mismatch}`,
  ),
  address: reason(
    'not_called',
    (error) => `not called: its address ${error}`,
    () => '未调用：该工具的地址不被允许',
  ),
  unsigned: reason(
    'not_called',
    () => 'not called: there is no secret to sign the call with',
    () => '未调用：没有用于签名的密钥',
  ),
  timed_out: reason(
    'no_answer',
    () => 'the tool did not answer in time: it may or may not have had its effect',
    () => '工具未在时限内返回：其操作可能已生效，也可能没有',
  ),
  connection_failed: reason(
    'no_answer',
    () => 'the tool could not be reached',
    () => '无法连接到该工具',
  ),
  unreached: reason(
    'no_answer',
    () => 'the tool could not be reached: its host is unknown, has no public address, or shows no accepted certificate',
    () => '无法连接到该工具：主机名未知、没有公网地址，或证书不被接受',
  ),
  connection_lost: reason(
    'no_answer',
    () => 'the connection broke off: the tool may or may not have had its effect',
    () => '连接中断：其操作可能已生效，也可能没有',
  ),
  too_large: reason(
    'bad_answer',
    () => 'the answer of the tool is larger than 256 KiB',
    () => '工具的返回超过 256 KiB',
  ),
  redirect: reason(
    'bad_answer',
    (status) => `the tool answered with a redirect (HTTP ${status}), which is not followed`,
    (status) => `工具返回了重定向（HTTP ${status}），不予跟随`,
  ),
  http: reason(
    'bad_answer',
    (status) => `the tool answered HTTP ${status}`,
    (status) => `工具返回 HTTP ${status}`,
  ),
  no_json: reason(
    'bad_answer',
    () => 'the answer of the tool is no JSON',
    () => '工具的返回不是 JSON',
  ),
  no_status: reason(
    'bad_answer',
    () => 'the answer of the tool has no status "success" or "error"',
    () => '工具的返回没有 status（"success" 或 "error"）',
  ),
}
export type HttpToolFailure = keyof typeof HTTP_TOOL_TEXTS
