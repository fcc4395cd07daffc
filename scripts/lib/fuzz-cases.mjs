/**
 * What the fuzzer sends: a case is `{ family, parts, expected, well_formed }`. A well-formed request has to be answered; one that breaks HTTP
 * itself may be answered by the runtime's parser, or not at all.
 */
import { fuzzBody } from './fuzz-bodies.mjs'

const KEY = 'Authorization: Bearer dev-key'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']
const JUNK_HEADERS = [
  'Authorization: Basic ZGV2OmRldg==',
  'Authorization: Bearer',
  'Authorization:',
  'Authorization: Bearer dev-key, Bearer other',
  'Authorization:\tBearer\tdev-key',
  'Authorization: bearer  dev-key',
  'Authorization: Bearer \u0001',
  'X-Tenant: other',
  'X-Forwarded-For: 1.1.1.1, ::1',
  'X-Request-Id: a b\tc',
  `X-Request-Id: ${'r'.repeat(2_000)}`,
  'X-Request-Id: \u00e9\u00ff',
  'Idempotency-Key: ',
  'Idempotency-Key: \u00ff',
  'If-Match: *',
  'If-None-Match: "1", W/"2"',
  'If-None-Match: *',
  'Prefer: wait=-1',
  'Prefer: wait=999999999999',
  'Range: bytes=0-1',
  'Cookie: a=b; __proto__=c',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c',
  'traceparent: 00-zz',
  'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  `X-Long: ${'a'.repeat(7_000)}`,
  'Last-Event-ID: -1',
  'X-HTTP-Method-Override: DELETE',
  'Accept-Language: zz, *;q=0',
  'Expect: 100-continue',
  'TE: trailers',
  'CF-Connecting-IP: x',
  'Origin: null',
  'Accept-Encoding: gzip;q=0, *;q=0',
]
const ACCEPTS = [
  '*/*',
  'text/plain',
  'application/json',
  'text/event-stream',
  'text/csv',
  'text/html',
  'application/xml',
  'a/b;q=x',
  ';',
  '',
  'text/plain;q=0, application/json;q=0.1',
  '*/*;q=0',
  'x'.repeat(3_000),
]
const QUERIES = [
  '',
  '?',
  '??',
  '?limit=0',
  '?limit=-1',
  '?limit=101',
  '?limit=1e2',
  '?limit=abc',
  '?after=%00',
  '?after=-5',
  '?after=99999999999999999999',
  '?limit=1&limit=2',
  '?status=nope',
  '?metadata.=x',
  '?metadata.__proto__=x',
  '?mode=',
  '?%',
  '?%ff=%ff',
  '?redact=true',
  '?a[]=1',
  `?${'a=b&'.repeat(500)}`,
  '?dry_run=true',
  '?token=x',
  '#f',
]
const PATHS = [
  '/',
  '//',
  '/tasks/',
  '/tasks//',
  '//tasks',
  '/TASKS',
  '/tasks/%00',
  '/tasks/..',
  '/tasks/../health',
  '/tasks/%2e%2e/health',
  '/tasks/%2f',
  '/tasks/task_%2f..%2f',
  '/tasks/%zz',
  '/tasks/%ff%fe',
  '/tasks/é',
  '/tasks/.',
  '/docs/../../etc/passwd',
  '/docs/%2e%2e%2f%2e%2e%2fetc/passwd',
  '/docs/',
  '/docs/nope.js',
  '/health/',
  '/health%20',
  '/openapi.json/',
  '/cdn-cgi/x',
  '/cdn-cgi/handler/scheduled',
  '/.env',
  '/index.html',
  '/docs.html',
  '/tasks/__proto__',
  '/tasks/constructor/step',
  '/tasks;a=b',
  '/tasks?',
  '/%74asks',
  '/\\tasks',
  '/tasks/ /step',
  `/tasks/${'a'.repeat(3_000)}`,
  `/${'a/'.repeat(900)}`,
  '*',
  'tasks',
  '/tasks/\u0001',
  'http:///tasks',
  '/tasks/task_00000000000000000000000000000000',
]
const GOALS = [
  'buy milk',
  '明天下午三点看牙医',
  'remind me to call mum tomorrow 9am',
  'book the dentist on Friday',
  'look up the Eiffel Tower',
  '买牛奶，然后查一下天气',
  'x',
  '/todo list',
]
const INPUTS = [
  '45 minutes',
  '/todo list',
  '/nope',
  '取消当前任务',
  'continue',
  'yes',
  '继续',
  '/schedule list',
  '下午三点',
  '   ',
]
const COMMANDS = [
  '/todo add milk',
  '/todo list',
  '/todo done 1',
  '/todo get 999999',
  '/schedule add 2026-12-01 10:00 x',
  '/schedule list',
  '/view week',
  '/help',
  '/',
  '//',
  'hello',
  '',
  '取消当前任务',
  '/todo add a --due 2026-02-30 10:00',
  '/schedule repeat 1 daily',
  "/todo add '; DROP TABLE todos; --",
  '/todo update 1 --priority 99999999999999999999',
  '/schedule add 0000-00-00 99:99 x --duration -1',
]

/** Makes cases. `routes` are `{ method, path }` of the contract; `tasks` are ids that are known to exist, the youngest last. */
export function caseMaker(random, routes, tasks) {
  const id = () =>
    tasks.length > 0 && random.chance(0.8)
      ? tasks[random.below(tasks.length)]
      : random.pick(['task_x', 'task_00000000000000000000000000000000', '%00', '..', 'a'.repeat(300)])
  const fill = (path) => path.replace('{id}', id())
  const aRoute = () => {
    const { method, path } = random.pick(routes)
    return { method, path: fill(path) }
  }
  const aPost = () => {
    const { path } = random.pick(routes.filter(({ method }) => method === 'POST'))
    return { method: 'POST', path: fill(path) }
  }
  const post = (path, value) => ({ method: 'POST', path, type: 'application/json', body: JSON.stringify(value) })
  const valid = [
    () =>
      post('/tasks', {
        goal: random.pick(GOALS),
        rounds: random.below(3),
        settings: { max_steps: 1 + random.below(6) },
      }),
    () => post(`/tasks/${id()}/step`, {}),
    () => ({ method: 'POST', path: `/tasks/${id()}/step` }),
    () => post(`/tasks/${id()}/input`, { input: random.pick(INPUTS) }),
    () => post('/commands', { command: random.pick(COMMANDS) }),
    () => ({
      method: 'GET',
      path: `/tasks/${id()}/${random.pick(['events', 'journal'])}?limit=${1 + random.below(100)}`,
    }),
    () => ({ method: 'GET', path: `/tasks/${id()}` }),
    () => ({ method: 'GET', path: '/tasks?limit=5' }),
    () =>
      random.chance(0.3)
        ? post(`/tasks/${id()}/cancel`, {})
        : { method: 'GET', path: random.pick(['/health', '/openapi.json', '/docs']) },
    () =>
      random.chance(0.2) ? { method: 'DELETE', path: `/tasks/${id()}` } : { method: 'GET', path: '/openapi.yaml' },
  ]
  const one = (family, request) => ({
    family,
    parts: [compose(request)],
    expected: [request.method ?? 'GET'],
    well_formed: true,
  })
  const broken = (family, bytes) => ({
    family,
    parts: [Buffer.from(bytes, 'latin1')],
    expected: ['GET'],
    well_formed: false,
    half_close: true,
  })
  const families = {
    valid: () => one('valid', random.pick(valid)()),
    body: () => {
      const { family, ...body } = fuzzBody(random)
      return one(`body ${family}`, { ...aPost(), ...body })
    },
    body_anywhere: () => one('body anywhere', { ...aRoute(), method: random.pick(METHODS), ...fuzzBody(random) }),
    header: () =>
      one('header', {
        ...aRoute(),
        headers: Array.from({ length: 1 + random.below(4) }, () => random.pick(JUNK_HEADERS)),
      }),
    two_keys: () =>
      one('two keys', {
        ...aRoute(),
        headers: [random.pick(['Authorization: Bearer other', KEY, 'Authorization: Basic eA=='])],
      }),
    no_key: () =>
      one('no key', {
        ...aRoute(),
        key: random.pick([null, 'Authorization: Bearer wrong', 'authorization: bearer dev-keY']),
      }),
    method: () => one('method', { ...aRoute(), method: random.pick(METHODS) }),
    path: () => ({
      ...one('path', { method: random.pick(['GET', 'POST', 'DELETE']), path: random.pick(PATHS) }),
      well_formed: false,
      half_close: true,
    }),
    query: () =>
      one('query', {
        method: 'GET',
        path:
          random.pick(['/tasks', `/tasks/${id()}/events`, `/tasks/${id()}/journal`, `/tasks/${id()}`]) +
          random.pick(QUERIES),
      }),
    accept: () => one('accept', { ...aRoute(), headers: [`Accept: ${random.pick(ACCEPTS)}`] }),
    chunked: () => ({ ...one('chunked', {}), parts: chunked(random, aPost()), expected: ['POST'] }),
    broken_chunks: () => broken('broken chunks', brokenChunks(random)),
    expect_continue: () =>
      one('expect', {
        ...aPost(),
        type: 'application/json',
        body: '{"goal":"x","rounds":0}',
        headers: [random.pick(['Expect: 100-continue', 'Expect: 200-ok'])],
      }),
    version: () => ({
      ...one('version', { ...aRoute(), version: random.pick(['1.0', '1.1']) }),
      well_formed: false,
      half_close: true,
    }),
    absolute: () => ({
      ...one('absolute', {
        method: 'GET',
        path: random.pick(['http://127.0.0.1/health', 'http://evil.test/tasks', 'https://a:b@c/tasks', 'ftp://x/']),
      }),
      well_formed: false,
      half_close: true,
    }),
    cut: () => {
      const whole = compose({ ...aPost(), type: 'application/json', body: '{"goal":"buy milk","rounds":0}' })
      return { ...broken('cut', ''), parts: [whole.subarray(0, 1 + random.below(whole.length - 1))] }
    },
    malformed: () => broken('malformed', random.pick(MALFORMED)),
    noise: () => ({ ...broken('noise', ''), parts: [random.bytes(1 + random.below(300))] }),
    pipelined: () => {
      const requests = Array.from({ length: 2 + random.below(3) }, () => random.pick([aRoute, random.pick(valid)])())
      return {
        family: 'pipelined',
        parts: [Buffer.concat(requests.map(compose))],
        expected: requests.map(({ method }) => method),
        well_formed: true,
      }
    },
  }
  const names = Object.keys(families)
  // A third of all requests are good ones, so that the others meet tasks in every state.
  return () => (random.chance(0.35) ? families.valid() : families[random.pick(names)]())
}

const MALFORMED = [
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  ' GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'G\u0000T / HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
  'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'POST /tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
  'POST /tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nNoColon\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n',
  'GET / HTTP/1.1\nHost: x\n\n',
  '\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: \r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  `GET /health HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(400)}\r\n`,
  `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`,
]

/** The bytes of one request. Header text is sent as latin1, so a character above 0x7f is a byte that is no UTF-8. */
function compose({ method = 'GET', path, version = '1.1', key = KEY, headers = [], type = null, body = '' }) {
  const content = Buffer.isBuffer(body) ? body : Buffer.from(body, 'utf8')
  const hasBody = content.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method)
  const lines = [
    `${method} ${path} HTTP/${version}`,
    'Host: 127.0.0.1',
    ...(key === null ? [] : [key]),
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(hasBody ? [`Content-Length: ${content.length}`] : []),
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content])
}

const chunkedHead = (path) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

function chunked(random, { path }) {
  const body = random.pick(['{"goal":"buy milk","rounds":0}', '{"input":"yes"}', '', '{', '{"command":"/todo list"}'])
  const cut = random.below(body.length + 1)
  const chunks = [body.slice(0, cut), body.slice(cut)].filter((part) => part !== '')
  return [chunkedHead(path), ...chunks.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`), '0\r\n\r\n']
}

function brokenChunks(random) {
  const tail = random.pick([
    'zz\r\n{}\r\n0\r\n\r\n',
    '5\r\n{}\r\n0\r\n\r\n',
    'ffffffffffffffff\r\n{}',
    '-1\r\n\r\n',
    '2\r\n{}',
    '7fffffff\r\n{}\r\n',
    '2;ext=1\r\n{}\r\n0\r\n\r\n',
    '0\r\nTrailer: x\r\n\r\n',
    '2\n{}\n0\n\n',
    '',
    '0x2\r\n{}\r\n0\r\n\r\n',
  ])
  return chunkedHead('/tasks') + tail
}
