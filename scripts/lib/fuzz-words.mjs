/** What the fuzzer puts into request lines, headers and good requests. Text of headers and paths is sent as latin1, one byte for a character. */

export const KEY = 'Authorization: Bearer dev-key'

/** Of the service that the fuzzer starts. Another one refuses it. */
export const ADMIN_KEY = 'operator-of-the-fuzzer-and-of-nobody-else'
export const OPERATOR = `Authorization: Bearer ${ADMIN_KEY}`

/** Not the tenant of KEY: a fuzzer that disables its own tenant meets nothing any more. */
export const TENANTS = ['acme', 'globex', 'a.b', 'x', '-', 'nobody', 'a'.repeat(64), '%00', '..', '%2F', '__proto__']
export const LIMITS = [
  {},
  { open_tasks: 1 },
  { rate_per_minute: 1, tokens_per_day: 1, tokens_per_month: 1 },
  { cost_usd_per_day: '0.01', cost_usd_per_month: '0' },
  { models: ['nothing'], hosts: ['*.example.com'] },
  { stored_bytes: 1 },
  { open_tasks: null, models: null },
  { open_tasks: -1 },
  { hosts: ['http://x'] },
  { __proto__: null, toString: 1 },
]
export const SCOPES = [
  ['tasks:read'],
  ['tasks:read', 'tasks:write'],
  ['delegations'],
  ['admin'],
  [],
  ['root'],
  ['admin', 'admin'],
]
/** No collector is there. */
export const RECEIVERS = [
  'http://127.0.0.1:9/v1/traces',
  'http://10.0.0.1/',
  'file:///etc/passwd',
  'http://[::1]:9/',
  'https://a:b@127.0.0.1:9/',
  '',
  'x'.repeat(3_000),
]
export const USAGE_QUERIES = [
  '',
  '?group_by=key,model,mode',
  '?group_by=nope',
  '?from=2026-01-01&to=2026-01-02',
  '?from=9999-12-31',
  '?to=0000-00-00',
  '?tenant=dev',
  '?tenant=%00',
  '?from=2026-02-30',
]
export const ADMIN_QUERIES = [
  '',
  '?limit=1',
  '?limit=0',
  '?after=9007199254740993',
  '?after=%00',
  '?tenant=acme',
  '?tenant=__proto__',
  '?action=createKey',
  '?action=nope',
  '?x=y',
]

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']

export const JUNK_HEADERS = [
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

export const ACCEPTS = [
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

export const QUERIES = [
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

export const PATHS = [
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

/** Files of workers, most of them broken. */
export const REPORTS = [
  '---\nstatus: SUCCESS\nsession_id: s-1\n---\n\n## 核心成果\nDone.\n',
  '---\nstatus: "failed" # for now\ncommand_id: task-x\n---\n---\n---',
  '---\nstatus: SUCCESS',
  '---\n---\n',
  'Status: completed\n- Completed: all of it',
  '',
  '```\n---\nstatus: SUCCESS\n---\n```',
  `---\n${'a: b\n'.repeat(2_000)}---\n`,
  '## '.repeat(5_000),
  '\u0001'.repeat(20_000),
]

export const GOALS = [
  'buy milk',
  '明天下午三点看牙医',
  'remind me to call mum tomorrow 9am',
  'book the dentist on Friday',
  'look up the Eiffel Tower',
  '买牛奶，然后查一下天气',
  'x',
  '/todo list',
]

export const INPUTS = [
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

export const COMMANDS = [
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

export const MALFORMED = [
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

/** The bodies after the head of a chunked request. */
export const BROKEN_CHUNKS = [
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
]

export const ABSOLUTE = ['http://127.0.0.1/health', 'http://evil.test/tasks', 'https://a:b@c/tasks', 'ftp://x/']

export const OTHER_KEYS = [
  'Authorization: Bearer other',
  'Authorization: Basic eA==',
  'authorization: bearer dev-keY',
  KEY,
]
