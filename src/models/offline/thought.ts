/** The thought phase: one decision for the current item (S0-50…S0-53). */
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../core/terms/values/parse-json.ts'
import { momentNow, type ThoughtContext } from './context.ts'
import { intentOfTitle } from './goal/goal.ts'
import { notDone, type IntentItem, type IntentMove } from './moves/item.ts'
import { moveFor } from './moves/next-move.ts'
import { wordsOf } from './texts.ts'

export interface RulesThoughtReply {
  status: 'continue' | 'ask_user' | 'done'
  current_step: string
  next_action: { tool: string; input: string } | null
  question: string | null
  response: string | null
  /** false: the item could not be done, and the response says why. */
  achieved: boolean | null
}

export function thoughtReply(context: ThoughtContext): RulesThoughtReply {
  const { locale, current_item, must_not_act } = context
  const words = wordsOf(locale)
  if (current_item.title.trim() === '') {
    return {
      status: 'done',
      current_step: words.nothing,
      next_action: null,
      question: null,
      response: words.nothing,
      achieved: null,
    }
  }
  const item = itemOf(context)
  const move = moveFor(intentOfTitle(item.title, item.now), item)
  return replyOf(must_not_act && move.kind === 'act' ? notDone(item, words.mayNotAct) : move, item)
}

const itemOf = (context: ThoughtContext): IntentItem => ({
  title: context.current_item.title.trim(),
  locale: context.locale,
  now: momentNow(context.local_time),
  observations: context.observations.filter(
    (observation) => observation.item_id !== null && observation.item_id === context.current_item.id,
  ),
  clarifications: context.clarifications,
  refuses: () => !context.may_ask || isQuestionRefused(context),
})

/** No question is repeated by these rules, so a refused one means that no more questions are allowed. */
function isQuestionRefused({ correction }: ThoughtContext): boolean {
  const refused = jsonOrNull(correction?.your_reply ?? '')
  return isRecord(refused) && refused.status === 'ask_user'
}

function replyOf(move: IntentMove, item: IntentItem): RulesThoughtReply {
  const words = wordsOf(item.locale)
  const none = { next_action: null, question: null, response: null, achieved: null }
  switch (move.kind) {
    case 'act':
      return {
        ...none,
        status: 'continue',
        current_step: words.acting(item.title),
        next_action: { tool: move.tool, input: move.input },
      }
    case 'ask':
      return { ...none, status: 'ask_user', current_step: words.asking(item.title), question: move.question }
    case 'end':
      return {
        ...none,
        status: 'done',
        current_step: words.ending(item.title),
        response: move.line,
        achieved: move.ok ? null : false,
      }
  }
}
