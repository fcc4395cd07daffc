/** What is wrong with a reply that neither calls a tool nor is an answer. It is told, and the model replies again (ruling 33). */
import { writtenIn } from '../conversation/calls.ts'
import { isEmpty } from '../conversation/replies.ts'
import { tokensThought } from '../../mode/reply.ts'
import type { Brief, EventOf, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { newSteps } from './plan.ts'
import { replyIn, type MarkedReply } from './replies.ts'
import { planOf, type SessionState } from './state.ts'

type ReplyEvent = EventOf<'model_replied'>
type ProblemKind = 'cut' | 'thought_only' | 'empty' | 'mark_only' | 'steps_only' | 'written_call'

/** `TOKENS` stands for what the reply has used. */
const EN: Record<ProblemKind, string> = {
  cut: 'it was cut off, because it was longer than allowed; nothing of it was done; give a shorter one, in several calls if need be',
  thought_only:
    'it was cut off before it said anything, because its reasoning used up the cap of TOKENS tokens; think less, and call a tool or give a short answer',
  empty: 'the reply is empty: it neither says anything nor calls a tool; call a tool, or give the final answer',
  mark_only: 'it has a mark but no answer; give the final answer in full, or call the next tool',
  steps_only: 'it declares steps but calls no tool; declare them and call the first tool in one reply',
  written_call:
    'it has a call as text, which is not made; call the tool by the function calls of the API, with nothing of the call in the text',
}
const ZH: Record<ProblemKind, string> = {
  cut: '回复过长而被截断，其中的内容均未执行；请给出更短的回复，必要时分多次调用',
  thought_only: '尚未作答即被截断，因为推理用尽了 TOKENS 个 token 的上限；请减少推理，直接调用工具或给出简短的答复',
  empty: '回复为空：既没有内容，也没有调用工具；请调用工具，或给出最终答复',
  mark_only: '只有标记，没有答复；请给出完整的最终答复，或调用下一个工具',
  steps_only: '声明了步骤，但没有调用工具；请在同一条回复中声明步骤并调用第一个工具',
  written_call: '以文字写出了调用，该调用并未执行；请使用接口的函数调用来调用工具，正文中不要写调用内容',
}
const PROBLEMS: Record<Locale, Record<ProblemKind, string>> = { en: EN, zh: ZH }

/** What is told of a problem. */
export const problemText = (kind: ProblemKind, event: ReplyEvent, locale: Locale): string =>
  PROBLEMS[locale][kind].replace('TOKENS', String(tokensThought(event) ?? 0))

/** What is wrong with a reply. null: it is accepted. A reply that is told too often is taken as the answer. */
export function problemIn(
  state: SessionState,
  event: ReplyEvent,
  { brief, recall }: { brief: Brief; recall: Recall },
): ProblemKind | null {
  if (event.finish === 'length') return tokensThought(event) === null ? 'cut' : 'thought_only'
  const reply = replyIn(event, brief)
  if (isEmpty(reply)) return 'empty'
  const { strict_replies, failure_limit } = brief.settings
  const isAccepted = strict_replies || reply.calls.length > 0 || state.told >= failure_limit - 1
  if (isAccepted) return null
  if (writtenIn(event, brief).calls.length > 0) return 'written_call'
  return answerProblem(state, reply, recall)
}

function answerProblem(state: SessionState, reply: MarkedReply, recall: Recall): ProblemKind | null {
  const plan = planOf(state)
  const declared = plan === null ? reply.steps : newSteps(plan, reply, { recall })
  if (declared.length > 0) return 'steps_only'
  if (reply.visible_text !== '' || reply.verdict !== null || isMarkBehindKept(state, reply)) return null
  return reply.steps.length > 0 ? 'steps_only' : 'mark_only'
}

/** A mark on its own ends the run with the reply that was kept. */
const isMarkBehindKept = ({ kept }: SessionState, reply: MarkedReply): boolean => kept !== null && reply.says_reached

/** What the next request says of a reply that was refused. An edit of the plan may have settled what was wrong with it. */
export function toldProblem(
  state: SessionState,
  event: ReplyEvent,
  context: { brief: Brief; recall: Recall },
): { text: string; inConversation: boolean } {
  const kind = problemIn({ ...state, told: 0 }, event, context) ?? 'mark_only'
  return { text: problemText(kind, event, context.brief.locale), inConversation: !NO_MESSAGES.has(kind) }
}

/** A reply that is empty or was cut is no message of the conversation. */
const NO_MESSAGES: ReadonlySet<ProblemKind> = new Set(['cut', 'thought_only', 'empty'])
