/** The output of the bridge and the worker on stdout: one line for each event, in words or as JSON. */

/** Names of files and answers of a service may contain control characters, which a terminal must not obey. */
const shown = (value) => String(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`
const by = (deadline) => (deadline === '' ? '' : `, report wanted by ${deadline}`)

const WORDS = {
  ready: ({ url, worker, at }) => `ready: work of ${url} for ${at}, as ${worker}`,
  taken: ({ command_id, command_type, deadline }) => `taken: ${command_id} (${command_type})${by(deadline)}`,
  resumed: ({ command_id, deadline }) => `still open: ${command_id}${by(deadline)}`,
  passed_over: ({ delegation_id, reason }) => `passed over: ${delegation_id}: ${reason}`,
  finished: ({ command_id, ended }) => `finished: ${command_id}: ${ended}`,
  killed: ({ command_id, reason }) => `killed: ${command_id}: ${reason}`,
  reported: ({ command_id }) => `reported: ${command_id}`,
  refused: ({ file, code, detail, kept_as }) => `REFUSED: ${file}: ${code}: ${detail} Kept as ${kept_as}`,
  report_refused: ({ command_id, code, detail }) => `REFUSED: the report of ${command_id}: ${code}: ${detail}`,
  settled: ({ command_id, reason }) => `settled: ${command_id}: ${reason}`,
  claim_lost: ({ command_id, reason }) => `claim lost: ${command_id}: ${reason}`,
  left: ({ file, reason }) => `left alone: ${file}: ${reason}`,
  retrying: ({ what, reason, wait_ms }) => `${what}: ${reason}; again in ${seconds(wait_ms)}`,
  trouble: ({ what, reason }) => `${what}: ${reason}`,
  stopped: () => 'stopped',
}

/** A function that prints events; `event` names them, the other members are its facts. */
export function teller({ json, print = console.log, now = () => new Date() }) {
  return ({ event, ...facts }) => {
    const time = now().toISOString()
    print(json ? JSON.stringify({ time, event, ...facts }) : `${time} ${shown(WORDS[event](facts))}`)
  }
}
