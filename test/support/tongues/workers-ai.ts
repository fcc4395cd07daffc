/** The binding of Workers AI: it is asked in the words of chat completions, and its older models answer in fewer. */
import { lost } from '../hostile-kit.ts'
import { CHAT } from './chat.ts'
import { listOf, memberOf, type Tongue } from './tongue.ts'

const NOT_ONE = lost('reply is not a completion')

export const WORKERS_AI: Tongue = {
  wire: 'workers_ai',
  say: ({ choices, ...more }) => {
    const [choice] = listOf(choices)
    const message = memberOf(choice, 'message')
    const response = memberOf(message, 'content')
    const tool_calls = memberOf(message, 'tool_calls')
    return {
      ...more,
      ...(response === undefined ? {} : { response }),
      ...(tool_calls === undefined ? {} : { tool_calls: listOf(tool_calls).map(called) }),
    }
  },
  hear: CHAT.hear,
  fates: {},
}
void NOT_ONE

/** A call without an id. */
const called = (call: unknown) => memberOf(call, 'function')
