/** The binding of Workers AI: it is asked in the words of chat completions, and its older models answer in fewer. */
import { BROKEN, FINE, lost, type Fate } from '../hostile-kit.ts'
import { olderStream } from '../stand-ins/streams/workers-ai.ts'
import { CHAT } from './chat.ts'
import { listOf, memberOf, type Tongue } from './tongue.ts'

const NOT_ONE = lost('reply is not a completion')
/** A value that the contract refuses. The answer has no usage. */
const NO_REPLY: Fate = { ...BROKEN, charge: 'reservation' }

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
  refuse: CHAT.refuse,
  hear: CHAT.hear,
  fates: {
    'an empty list of choices': NOT_ONE,
    'a choice of null': NOT_ONE,
    'a choice in the old style': NOT_ONE,
    'a message that is a text': NOT_ONE,
    'no content': NOT_ONE,
    // In JSON mode the response is a value.
    'content that is a number': NO_REPLY,
    'content that is the object itself': { ...FINE, charge: 'reservation' },
    'content that is an empty list': NO_REPLY,
    'content in parts': BROKEN,
    // It streams a completion, too. No event tells the usage.
    'a stream of events': { ...FINE, charge: 'reservation' },
    // A model has no other way to refuse than its words.
    'a refusal': lost('no content'),
    'a refusal beside an empty text': NO_REPLY,
    // An answer does not say how it ended, and one of the decisions has a member that is called response.
    'a reply that a filter has ended': null,
    'a reply that an error has ended': null,
    // A list of parts would be such a value, with all that is in it.
    'content in parts without a text': null,
    'a text between parts of thinking': null,
    'the bare object without a completion around it': null,
  },
}
/** The same, streamed. */
export const WORKERS_AI_STREAMED: Tongue = {
  ...WORKERS_AI,
  stream: (answer) => ('response' in answer || 'tool_calls' in answer ? olderStream(answer) : null),
}

/** A call without an id. */
const called = (call: unknown) => memberOf(call, 'function')
