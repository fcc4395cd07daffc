/**
 * The configuration of the workerd process that is the compute Worker of `npm start`. The Worker has no binding and no network. In front of it
 * stands a door that knows one secret: other users of this machine can reach the port, and are refused.
 */

import { DOOR } from './door.mjs'

/** The variable of the environment that carries the secret. */
export const DOOR_VARIABLE = 'COMPUTE_SECRET'

/** V8 ends the process beyond that. Buffers are not counted; what they may hold is bounded by what the readers take. */
const HEAP_MB = 256

/** Cap'n Proto accepts the escapes of C; the texts here are ASCII. */
const text = (value) => JSON.stringify(value)
const list = (parts) => `[\n${parts.map((part) => `    ${part},`).join('\n')}\n  ]`
const moduleOf = (name) =>
  `(name = ${text(name)}, ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed ${text(name)})`

/** The file is next to the modules that it names. */
export function computeConfig({ modules, worker }) {
  const date = `compatibilityDate = ${text(worker.compatibilityDate)}`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "door", worker = .door),
    (name = "compute", worker = .compute),
    (name = "nowhere", network = (allow = [], deny = ["0.0.0.0/0", "::/0"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "door")],
  v8Flags = ["--max-old-space-size=${HEAP_MB}"],
);
const door :Workerd.Worker = (
  modules = [(name = "door.js", esModule = ${text(DOOR)})],
  bindings = [
    (name = "SECRET", fromEnvironment = ${text(DOOR_VARIABLE)}),
    (name = "GUARDED", service = "compute"),
  ],
  ${date},
  globalOutbound = "nowhere",
);
const compute :Workerd.Worker = (
  modules = ${list(modules.map(moduleOf))},
  ${date},
  compatibilityFlags = ${list(worker.compatibilityFlags.map(text))},
  globalOutbound = "nowhere",
);
`
}
