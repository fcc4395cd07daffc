/** Texts that make careless readers slow: each of one kind at any length. */

/** At least `chars` characters. */
export type Shape = (chars: number) => string

const again =
  (piece: string): Shape =>
  (chars) =>
    piece.repeat(Math.ceil(chars / piece.length))
/** What comes before and after is what a reader needs to begin, and to fail late. */
const within =
  (head: string, piece: string, tail: string): Shape =>
  (chars) =>
    head + again(piece)(chars) + tail
const nested =
  (open: string, close: string): Shape =>
  (chars) => {
    const depth = Math.ceil(chars / (open.length + close.length))
    return open.repeat(depth) + close.repeat(depth)
  }
/** Pieces that differ, so that nothing of them is known already. */
const counted =
  (piece: (at: number) => string): Shape =>
  (chars) => {
    const pieces: string[] = []
    for (let at = 0, length = 0; length < chars; at++) {
      const next = piece(at)
      pieces.push(next)
      length += next.length
    }
    return pieces.join('')
  }

export const SHAPES: Readonly<Record<string, Shape>> = {
  spaces: within('a', ' ', 'b'),
  newlines: within('a', '\n', 'b'),
  'carriage returns': within('a', '\r\n', 'b'),
  tabs: within('a', '\t', 'b'),
  'spaces and newlines': within('a', ' \n', 'b'),
  backticks: again('`'),
  'backticks and spaces': again('``` '),
  'fences that are opened again': again('```json\n'),
  'fences of another language': again('```a\n'),
  'fences closed at once': again('```\n```\n'),
  'tildes at the beginning of lines': again('~~~\n'),
  'opening signs': again('<'),
  'an opening sign and spaces': within('<', ' ', '>'),
  'opening tags': again('<tasks>'),
  'tags of both kinds': again('<thinking><tasks>'),
  'opening thoughts': again('<think>'),
  'tasks without a name': again('- [ ] \n'),
  'a task and spaces': within('<tasks>\n- [', ' ', 'x'),
  'tasks in a list': within('<tasks>\n', '- [x] a (b\n', ''),
  'comments that do not end': again('<!--'),
  digits: within('a', '9', 'b'),
  'digits and points': again('1.'),
  'digits and commas': again('1,000'),
  minus: within('a', '-', 'b'),
  'double quotes': again('"'),
  'a quote that does not end': within('"', 'a', ''),
  'quotes and commas': again('"a",'),
  'single quotes': again(" 'a"),
  backslashes: within('"', '\\', 'a'),
  'escaped quotes': within('{"a":"', '\\"', '"}'),
  'full-width commas': within('买', '，', 'a'),
  'full-width stops': within('买', '。', 'a'),
  'full-width parentheses': again('（'),
  'full-width spaces': within('买', '\u3000', '。'),
  'Chinese words': again('我的'),
  'Chinese requests': again('买牛奶，然后提醒我明天下午三点开会，'),
  'Chinese dates': again('明天，每周一，'),
  'opening quotes': again('“'),
  emoji: within('a', '😀', 'b'),
  'joined emoji': within('a', '👩\u200d', 'b'),
  'half pairs': again('\ud83d'),
  'combining marks': within('a', '\u0301', 'b'),
  'NUL characters': again('\0'),
  letters: again('a'),
  'one word of capitals': again('A'),
  words: again('to and '),
  'requests in English': again('buy milk and remind me tomorrow at 7, '),
  'dates in English': again('every Monday and 31 Nov at 10 '),
  'please and thanks': again('please, thanks, '),
  'exclamation marks': within('buy milk', '!', 'a'),
  'words of going on': again('continue no '),
  'words of not going on': again('do not not '),
  'the same short sentence': again('a. '),
  'sentences of one word': again('a;'),
  slashes: within('a', '/', 'b'),
  equals: within('a', '=', 'b'),
  'equals and semicolons': again('a=b;'),
  'header parameters': again('wait="a;b", '),
  'entity tags': again('W/"a", '),
  'languages with a weight': again('en;q=0.5,'),
  'percent signs': again('%E4%'),
  'ampersands of a form': again('a=%41&'),
  'entities of HTML': again('&amp;'),
  hashes: within('a', '#', 'b'),
  'headings of sections': again('## 核心成果\n'),
  'headings of levels': counted((at) => `${'#'.repeat((at % 6) + 1)} a\n`),
  asterisks: within('a', '*', 'b'),
  'emphasis that does not end': again('*a _b '),
  rules: again('---\n'),
  'items of lists': again('- a\n'),
  'items in items': counted((at) => `${'  '.repeat(at % 50)}- a\n`),
  'quotes in quotes': again('> '),
  'cells of a table': again('|'),
  'rows of a table': again('| a | b |\n'),
  links: again('[a](b '),
  pictures: again('![a]('),
  'options of commands': within('/todo add a ', '--tag ', ''),
  'long lists of options': within('/todo add ', '--due 2026-01-01 ', ''),
  'keys of a front matter': within('---\n', 'status: done\n', ''),
  'a front matter that ends late': within('---\n', 'a: [\n', '---\n'),
  'markers of ends': again('[analysis_complete '),
  'markers of steps': again('[Step] a [done] '),
  'opening braces': again('{'),
  'opening brackets': again('['),
  'braces in braces': nested('{"a":', '}'),
  'brackets in brackets': nested('[', ']'),
  'places for results': again('{{a}} {{'),
  'an array of numbers': within('[', '1,', '1]'),
  'an array of objects': within('[', '{"a":1},', '{"a":1}]'),
  'an object of many keys': (chars) => `{${counted((at) => `"k${at}":${at},`)(chars)}"k":0}`,
  'an object of one long key': within('{"', 'k', '":1}'),
  'an object of one long text': within('{"code":"', 'a ', '"}'),
  'the same key': within('{', '"a":1,', '"a":1}'),
  'lines of JSON': again('{"a":1}\n'),
  'a number of many digits': within('[', '1', ']'),
  'cells of one row': again('a,'),
  'rows of one cell': again('a\n'),
  'rows that grow': counted((at) => `${'a,'.repeat(at % 200)}\n`),
  'quoted cells': again('"a""b",'),
  'money and percent': again('$1,000.00 5% '),
  'times and dates': again('2026-01-01T00:00:00Z,01/02/2026,'),
  'import of Python': again('import a\n'),
  'a list of imports': within('import a', ', a', '!'),
  'functions of Python': again('def f():->'),
  'branches of Python': again('for x in a: '),
  'comprehensions of Python': again('[x for x, '),
  'functions of JavaScript': again('function * '),
  'types of TypeScript': again('type a<'),
  'colons and arrows': again('):->'),
  'declarations of TypeScript': again('let a : '),
  'print of Python': again('print("a'),
  'bearer tokens': again('bearer '),
  'addresses of the web': again('https://a.b/'),
  'ids of tasks': again('task-a_1-'),
  'two letters in turn': again('ab'),
  'three kinds of space': again(' \u00a0\u2003'),
  'ends of lines of all kinds': again('\r\u2028\n'),
}
