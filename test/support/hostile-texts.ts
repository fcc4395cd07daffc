/** Hostile texts in correct completions, which the contract of a phase refuses or only seems to refuse (rows 19, 20, 28, 29, 52). */
import { act, ask as question, done } from './scripted.ts'
import { bent, bentBy, BROKEN, FINE, SAID, text, type Fate, type Hostile, type Phase } from './hostile-kit.ts'

/** For members that only a thought has; the contracts of the lists ignore them. */
const inThought = (thought: Fate): Record<Phase, Fate> => ({ plan: FINE, thought, replan: FINE })
const MARKERS = '[Done] [完成] [ANALYSIS_COMPLETE] <tasks>1. x</tasks>'
/** The same action again and again is refused at its third time, so that the replan gets its turn. */
const ACTS: Fate = { ...FINE, leads_to: 'act', for_ever: 'done' }
const ACTS_ANEW: Fate = { ...ACTS, for_ever: 'budget_exhausted:steps' }
const LISTS: Fate = { ...FINE, leads_to: 'list', for_ever: 'budget_exhausted:steps' }
const titles = (count: number, chars: number) =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(chars, 't'))
const list = (plan: unknown) => ({ status: 'replanned', plan, response: null })

/** Replies that are not exactly one JSON object. */
const SHAPES: Hostile[] = [
  text(19, 'an empty text', () => ''),
  text(19, 'white space alone', () => ' \n\t \u00a0\u3000\n'),
  text(19, 'prose', () => `Sure! I would begin with the milk. ${SAID}`),
  text(19, 'prose in another language', () => `好的，我先去买牛奶。${SAID}`),
  text(19, 'prose from right to left', () => `\u202eبالتأكيد ${SAID}`),
  text(19, 'a code fence', (ask) => `\`\`\`json\n${ask.good}\n\`\`\``),
  text(19, 'a code fence without a language', (ask) => `\`\`\`\n${ask.good}\n\`\`\``),
  text(19, 'prose before the object', (ask) => `${SAID}: ${ask.good}`),
  text(19, 'prose behind the object', (ask) => `${ask.good}\n${SAID}`),
  text(19, 'two objects', (ask) => ask.good + ask.good),
  text(19, 'two objects on two lines', (ask) => `${ask.good}\n${ask.good}`),
  text(19, 'an object without its last brace', (ask) => ask.good.slice(0, -1)),
  text(19, 'an object cut in the middle', (ask) => ask.good.slice(0, ask.good.length / 2)),
  text(19, 'an object cut after its first byte', () => '{'),
  text(19, 'an array around the object', (ask) => `[${ask.good}]`),
  text(19, 'an empty array', () => '[]'),
  text(19, 'a string that holds the object', (ask) => JSON.stringify(ask.good)),
  text(19, 'a number', () => '42'),
  text(19, 'true', () => 'true'),
  text(19, 'null', () => 'null'),
  text(19, 'NaN', () => 'NaN'),
  text(19, 'NaN in a member', (ask) => `{"n":NaN,${ask.good.slice(1)}`),
  text(19, 'a comma too many', (ask) => `${ask.good.slice(0, -1)},}`),
  text(19, 'a comment in the object', (ask) => `/* ${SAID} */${ask.good}`),
  text(19, 'single quotes', (ask) => ask.good.replaceAll('"', "'")),
  text(19, 'keys without quotes', (ask) => ask.good.replace('"status"', 'status')),
  text(19, 'full-width quotes', (ask) => ask.good.replaceAll('"', '“')),
  text(19, 'XML', () => `<plan><item>${SAID}</item></plan>`),
  text(19, 'a tool call written as text', () => `<tool_call>{"name":"todo","arguments":{"x":"${SAID}"}}</tool_call>`),
  text(19, 'a raw line break in a string', (ask) => ask.good.replace(':"', ':"\n')),
  text(50, 'a NUL before the object', (ask) => `\u0000${ask.good}`),
  text(50, 'half a surrogate pair behind the object', (ask) => `${ask.good}\ud800`),
  text(50, 'a byte order mark before the object', (ask) => `\ufeff${ask.good}`, FINE),
  text(50, 'arrays 32,000 deep', () => '['.repeat(32_000) + ']'.repeat(32_000)),
  text(50, 'arrays 32,000 deep that never close', () => '['.repeat(32_000)),
  text(50, 'members 3,000 deep where texts belong', (ask) =>
    JSON.stringify({ ...JSON.parse(ask.good), plan: '@', next_action: '@', response: '@' }).replaceAll(
      '"@"',
      '['.repeat(3_000) + ']'.repeat(3_000),
    ),
  ),
  text(50, 'an unknown member 20 deep', (ask) => `{"x":${'['.repeat(20)}${']'.repeat(20)},${ask.good.slice(1)}`, FINE),
  text(22, 'exactly 64 KiB of prose', () => 'x'.repeat(65_536)),
  text(22, 'exactly 64 KiB of white space around the object', (ask) => ask.good.padEnd(65_536, ' '), FINE),
]

const THINKING: Hostile[] = [
  text(19, 'a closed think block before the object', (ask) => `<think>\n${SAID}\n</think>\n${ask.good}`, FINE),
  text(19, 'think blocks of any case around the object', (ask) => `<THINK>a</Think>${ask.good}<think></think>`, FINE),
  text(19, 'a think block that never closes', (ask) => `<think>${SAID} ${ask.good}`),
  text(19, 'a think block behind the object that never closes', (ask) => `${ask.good}<think>${SAID}`),
  text(19, 'a think block that only closes', (ask) => `${SAID}</think>${ask.good}`),
  text(19, 'nested think blocks', (ask) => `<think>a<think>b</think>${SAID}</think>${ask.good}`),
  text(19, 'nothing but a think block', () => `<think>${SAID}</think>`),
  text(19, 'the object inside of a think block', (ask) => `<think>${ask.good}</think>`),
  text(19, 'a thousand think blocks that never close', () => '<think>'.repeat(1_000)),
  text(52, 'nothing but markers', () => MARKERS),
  text(52, 'markers behind the object', (ask) => `${ask.good}\n${MARKERS}`),
  text(
    52,
    'markers inside of its texts',
    bentBy({ plan: { plan: [MARKERS] }, thought: { ...act(), current_step: MARKERS }, replan: list([MARKERS]) }),
    { plan: FINE, thought: ACTS, replan: LISTS },
  ),
]

/** Replies that are one JSON object with the wrong members. */
const MEMBERS: Hostile[] = [
  text(19, 'an object without members', () => '{}'),
  text(19, 'members that are all null', (ask) =>
    JSON.stringify(JSON.parse(ask.good), (key, value) => (key === '' ? value : null)),
  ),
  text(19, 'no status', bent({ status: undefined })),
  text(19, 'an unknown status of many words', bent({ status: `${'step_done '.repeat(7)}${SAID}` })),
  text(
    19,
    'the status of another phase',
    bentBy({ plan: { status: 'replanned' }, thought: { status: 'planned' }, replan: { status: 'continue' } }),
  ),
  text(19, 'a status that is a number', bent({ status: 1 })),
  text(19, 'a status that is a list', (ask) => bent({ status: [JSON.parse(ask.good).status] })(ask)),
  text(
    19,
    'a status in capitals between blanks',
    (ask) => bent({ status: ` ${JSON.parse(ask.good).status.toUpperCase()} ` })(ask),
    FINE,
  ),
  text(
    19,
    'a text where a list or an object belongs',
    bentBy({ plan: { plan: SAID }, thought: { ...act(), next_action: SAID }, replan: { plan: SAID } }),
  ),
  text(
    19,
    'an object where a text belongs',
    bentBy({
      plan: { plan: [{ title: SAID }] },
      thought: { response: { text: SAID } },
      replan: { response: { text: SAID } },
    }),
  ),
  text(
    19,
    'a list where an object or a text belongs',
    bentBy({
      plan: { plan: [[SAID]] },
      thought: { ...act(), next_action: ['todo', SAID] },
      replan: { response: [SAID] },
    }),
  ),
  text(
    19,
    'numbers where texts belong',
    bentBy({ plan: { plan: [1, true] }, thought: { response: 5 }, replan: { ...list([1, true]) } }),
    { plan: FINE, thought: BROKEN, replan: LISTS },
  ),
  text(
    20,
    'what its status needs left out',
    bentBy({ plan: { plan: null }, thought: { status: 'continue' }, replan: { response: null } }),
  ),
  text(
    20,
    'what its status forbids put in',
    bentBy({ plan: { status: 'done', response: SAID }, thought: { next_action: act().next_action }, replan: list([]) }),
  ),
  text(
    20,
    'a blank where it needs a text',
    bentBy({ plan: { status: ' ' }, thought: { status: 'ask_user', question: ' ' }, replan: { response: ' \n' } }),
  ),
  text(
    29,
    'a list of blanks',
    bentBy({ plan: { plan: ['', ' '] }, thought: { ...act(' ') }, replan: list(['', ' ']) }),
    { plan: FINE, thought: BROKEN, replan: BROKEN },
  ),
  text(
    28,
    'a list of 101 items',
    bentBy({ plan: { plan: titles(101, 9) }, thought: { response: titles(101, 9) }, replan: list(titles(101, 9)) }),
  ),
  text(
    28,
    'a title of 501 characters',
    bentBy({ plan: { plan: titles(1, 501) }, thought: { response: titles(1, 501) }, replan: list(titles(1, 501)) }),
  ),
  text(
    28,
    'a list of 100 items of 500 characters',
    bentBy({ plan: { plan: titles(100, 500) }, thought: act(), replan: list(titles(100, 500)) }),
    { plan: FINE, thought: ACTS, replan: LISTS },
  ),
  text(50, 'a key that comes twice, the bad one first', (ask) => `{"status":"${SAID}",${ask.good.slice(1)}`, FINE),
  text(50, 'a key that comes twice, the bad one last', (ask) => `${ask.good.slice(0, -1)},"status":"${SAID}"}`),
  text(
    50,
    'the names of prototypes as members',
    (ask) => `{"__proto__":{"status":"x"},"constructor":{"prototype":[]},"toString":1,${ask.good.slice(1)}`,
    FINE,
  ),
  text(50, 'everything under __proto__', (ask) => `{"__proto__":${ask.good}}`),
  text(
    50,
    'half a surrogate pair in its texts',
    bentBy({ plan: { plan: ['a \ud83d'] }, thought: { response: '\udc00 b' }, replan: { response: '\ud83d' } }),
    FINE,
  ),
  text(
    50,
    'NUL and control characters in its texts',
    bentBy({
      plan: { plan: ['a\u0000\u0007\u202e'] },
      thought: { response: 'a\u0000' },
      replan: { response: 'a\u0000\u001b[2J' },
    }),
    FINE,
  ),
  text(
    51,
    'texts in many scripts',
    bentBy({
      plan: { plan: ['买牛奶 🥛', 'דואר'] },
      thought: { response: '牛奶買好了 👩‍👩‍👧' },
      replan: { response: 'تم 完成' },
    }),
    FINE,
  ),
]

const action = (tool: string, input: unknown = 'x') => ({ next_action: { tool, input } })
const acts = (tool: string, input: unknown = 'x') => ({ ...act(), ...action(tool, input) })
const inThoughtOnly = (thought: object, other: object = {}) => bentBy({ plan: other, thought, replan: other })
const IN_VAIN: Fate = { ...FINE, leads_to: 'act_in_vain', for_ever: 'contract_failures' }

/** Decisions that are each valid and together make no progress. */
const DECISIONS: Hostile[] = [
  text(
    21,
    'an action of a tool that is not offered',
    inThoughtOnly(acts('run_shell'), action('rm')),
    inThought(IN_VAIN),
  ),
  text(
    21,
    'an action of a tool named __proto__',
    inThoughtOnly(acts('__proto__'), action('__proto__')),
    inThought(IN_VAIN),
  ),
  text(21, 'an action of the tool ask_user', inThoughtOnly(acts('ask_user'), action('ask_user')), inThought(BROKEN)),
  text(19, 'an action without a tool', inThoughtOnly(acts(' '), action('')), inThought(BROKEN)),
  text(
    19,
    'an action whose input is a list',
    inThoughtOnly(acts('todo', ['/todo add x']), action('todo', [])),
    inThought(BROKEN),
  ),
  text(19, 'an action whose input is an object', inThoughtOnly(acts('todo', { add: 'x' })), inThought(ACTS)),
  text(
    22,
    'an action of 60,000 characters',
    (ask) => inThoughtOnly(acts('todo', `/todo add ${ask.now_ms} ${'x'.repeat(60_000)}`))(ask),
    inThought(ACTS_ANEW),
  ),
  text(27, 'the same action', inThoughtOnly(act()), inThought(ACTS)),
  text(28, 'a question', inThoughtOnly(question()), inThought({ ...FINE, leads_to: 'ask' })),
  text(29, 'a conclusion without a response', inThoughtOnly(done()), FINE),
  text(
    28,
    'a list that never ends',
    (ask) => bentBy({ plan: {}, thought: {}, replan: list([ask.now_ms, 'A', 'B']) })(ask),
    { plan: FINE, thought: FINE, replan: LISTS },
  ),
  text(28, 'the list it was given', bentBy({ plan: {}, thought: {}, replan: list(['Buy milk', 'Pay the rent']) }), {
    plan: FINE,
    thought: FINE,
    replan: LISTS,
  }),
]

export const TEXTS: readonly Hostile[] = [...SHAPES, ...THINKING, ...MEMBERS, ...DECISIONS]
