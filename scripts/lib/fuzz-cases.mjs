/**
 * What the fuzzer sends: a case is `{ family, parts, expected, well_formed }`. A well-formed request has to be answered; one that breaks HTTP
 * itself may be answered by the runtime's parser, or not at all.
 */
import { fuzzBody } from './fuzz-bodies.mjs'
import { operatorWords } from './fuzz-operator.mjs'
import {
  ABSOLUTE,
  ACCEPTS,
  BROKEN_CHUNKS,
  COMMANDS,
  GOALS,
  INPUTS,
  JUNK_HEADERS,
  KEY,
  MALFORMED,
  METHODS,
  OTHER_KEYS,
  PATHS,
  QUERIES,
  REPORTS,
} from './fuzz-words.mjs'

/** Makes cases. `routes` are `{ method, path }` of the contract; `tasks` and `keys` are ids that are known to exist, the youngest last. */
export function caseMaker(random, routes, { tasks, keys }) {
  const words = requests(random, routes, { tasks, keys })
  const families = { ...wellFormed(random, words), ...questionable(random, words), ...broken(random, words) }
  const names = Object.keys(families)
  // A third of all requests are good ones, so that the others meet tasks in every state.
  return () => (random.chance(0.35) ? families.valid() : families[random.pick(names)]())
}

/** Sources of requests: good ones, any route, any POST route. */
function requests(random, routes, { tasks, keys }) {
  const unknown = ['task_x', 'task_00000000000000000000000000000000', '%00', '..', 'a'.repeat(300)]
  const id = () => (tasks.length > 0 && random.chance(0.8) ? random.pick(tasks) : random.pick(unknown))
  const delegation = () =>
    id().replace(/^task_/, 'delegation_') + random.pick(['', '_1', '_2', '_3', '_0', '_99999999999'])
  const token = () => random.pick(['AAAA', '%00', '..', 'a.b', 'A'.repeat(300), 'A'.repeat(2_000)])
  const operator = operatorWords(random, keys)
  const at = filler(random, { id, delegation, token, operator })
  const posts = routes.filter(({ method }) => method === 'POST')
  const post = (path, value) => ({ method: 'POST', path, type: 'application/json', body: JSON.stringify(value) })
  const get = (path) => ({ method: 'GET', path })
  const report = (path) => ({ method: 'POST', path, type: 'text/markdown', body: random.pick(REPORTS) })
  const settings = () => ({ max_steps: 1 + random.below(6) })
  const fork = () => (random.chance(0.5) ? {} : { settings: settings() })
  const good = [
    () => post('/tasks', { goal: random.pick(GOALS), rounds: random.below(3), settings: settings() }),
    () => post(`/tasks/${id()}/step`, {}),
    () => ({ method: 'POST', path: `/tasks/${id()}/step` }),
    () => post(`/tasks/${id()}/input`, { input: random.pick(INPUTS) }),
    () => post('/commands', { command: random.pick(COMMANDS) }),
    () => get(`/tasks/${id()}/${random.pick(['events', 'journal'])}?limit=${1 + random.below(100)}`),
    () => get(`/tasks/${id()}`),
    () => ({
      method: 'PUT',
      path: `/tasks/${id()}/files/${random.pick(['a.csv', 'b.json'])}`,
      body: random.pick(['a,b\n1,2\n', '[]']),
    }),
    () => get(`/tasks/${id()}/files${random.pick(['', '/a.csv', '/b.json', '?limit=1'])}`),
    () => get('/tasks?limit=5'),
    () =>
      get(
        `/delegations${random.pick(['', '?status=pending', '?status=reported&limit=3', '?pool=gpu', `/${delegation()}`])}`,
      ),
    () => get(`/pools${random.pick(['', '?limit=1', '?after=gpu'])}`),
    () => post(`/delegations/${delegation()}/claim`, { worker: 'fuzzer', lease_s: 1 + random.below(3) }),
    () => report(random.chance(0.8) ? `/delegations/${delegation()}/report` : `/reports/${token()}`),
    () => get(random.pick(['/health', '/openapi.json', '/openapi.yaml', '/docs'])),
    () => post(`/tasks/${id()}/retry`, fork()),
    () => post(`/tasks/${id()}/fork`, { at: 1 + random.below(8), ...fork() }),
    () => post(`/tasks/${id()}/replay`, {}),
    () => ({
      method: 'PATCH',
      path: `/tasks/${id()}`,
      body: JSON.stringify({
        drive: random.pick(['manual', 'background']),
        title: `t${random.below(9)}`,
        metadata: { fuzz: 'yes' },
      }),
    }),
    () => (random.chance(0.3) ? post(`/tasks/${id()}/cancel`, {}) : get(`/tasks/${id()}`)),
    () => (random.chance(0.2) ? { method: 'DELETE', path: `/tasks/${id()}` } : get('/tasks')),
  ]
  return {
    id,
    good: () => (random.chance(0.25) ? operator.good() : random.pick(good)()),
    whichever: () => at(random.pick(routes)),
    post: () => at(random.pick(posts)),
  }
}

/** Puts ids and names in place of the parameters of a path, with the credential that the route takes. */
function filler(random, { id, delegation, token, operator }) {
  const name = () =>
    random.pick(['a.csv', 'B.JSON', 'x.xlsx', 'notes.md', '%2e%2e', 'a%2Fb.csv', '%00.csv', 'a'.repeat(300)])
  const idIn = (path) =>
    path.startsWith('/delegations/') ? delegation() : path.startsWith('/admin/') ? operator.keyId() : id()
  return ({ method, path }) => ({
    method,
    ...operator.credentialFor(path),
    path: path
      .replace('{id}', idIn(path))
      .replace('{tenant}', operator.tenant())
      .replace('{token}', token())
      .replace('{name}', name()),
  })
}

const one = (family, request) => ({ family, parts: [compose(request)], expected: [request.method], well_formed: true })
/** Requests that break HTTP itself: the runtime may answer, close, or wait for more bytes. */
const bent = (family, parts) => ({ family, parts, expected: ['GET'], well_formed: false, half_close: true })

/** Requests that HTTP allows: each has to be answered. */
function wellFormed(random, { id, good, whichever, post }) {
  const listing = () => random.pick(['/tasks', `/tasks/${id()}/events`, `/tasks/${id()}/journal`, `/tasks/${id()}`])
  const junk = () => Array.from({ length: 1 + random.below(4) }, () => random.pick(JUNK_HEADERS))
  const small = { type: 'application/json', body: '{"goal":"x","rounds":0}' }
  return {
    valid: () => one('valid', good()),
    body: () => {
      const { family, ...body } = fuzzBody(random)
      return one(`body ${family}`, { ...post(), ...body })
    },
    body_anywhere: () => one('body anywhere', { ...whichever(), ...fuzzBody(random), method: random.pick(METHODS) }),
    header: () => one('header', { ...whichever(), headers: junk() }),
    two_keys: () => one('two keys', { ...whichever(), headers: [random.pick(OTHER_KEYS)] }),
    no_key: () => one('no key', { ...whichever(), key: random.pick([null, ...OTHER_KEYS]) }),
    method: () => one('method', { ...whichever(), method: random.pick(METHODS) }),
    query: () => one('query', { method: 'GET', path: listing() + random.pick(QUERIES) }),
    accept: () => one('accept', { ...whichever(), headers: [`Accept: ${random.pick(ACCEPTS)}`] }),
    expectation: () => one('expectation', { ...post(), ...small, headers: ['Expect: 100-continue'] }),
    chunked: () => ({ ...one('chunked', { method: 'POST', path: '/' }), parts: chunked(random, post()) }),
    pipelined: () => {
      const several = Array.from({ length: 2 + random.below(3) }, () => (random.chance(0.5) ? good() : whichever()))
      const expected = several.map(({ method }) => method)
      return { family: 'pipelined', parts: [Buffer.concat(several.map(compose))], expected, well_formed: true }
    },
  }
}

/** Request lines that may or may not be HTTP. */
function questionable(random, { whichever }) {
  const methods = ['GET', 'POST', 'DELETE']
  return {
    path: () => bent('path', [compose({ method: random.pick(methods), path: random.pick(PATHS) })]),
    version: () => bent('version', [compose({ ...whichever(), version: random.pick(['1.0', '1.1', '0.9', '2.0']) })]),
    absolute: () => bent('absolute', [compose({ method: 'GET', path: random.pick(ABSOLUTE) })]),
    no_such_method: () =>
      bent('no such method', [compose({ ...whichever(), method: random.pick(['FOO', 'get', 'G-T']) })]),
  }
}

/** Bytes that are not HTTP, or not all of a request. */
function broken(random, { post }) {
  return {
    broken_chunks: () => bent('broken chunks', [chunkedHead('/tasks') + random.pick(BROKEN_CHUNKS)]),
    cut: () => {
      const whole = compose({ ...post(), type: 'application/json', body: '{"goal":"buy milk","rounds":0}' })
      return bent('cut', [whole.subarray(0, 1 + random.below(whole.length - 1))])
    },
    malformed: () => bent('malformed', [Buffer.from(random.pick(MALFORMED), 'latin1')]),
    noise: () => bent('noise', [random.bytes(1 + random.below(300))]),
  }
}

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
