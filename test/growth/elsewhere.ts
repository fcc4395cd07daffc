/** Modules that read with repetitions and are not in the table of readers, each with the reason. A folder ends with a slash. */
const OWN = 'The text is of whoever runs the service, not of outside.'
const ONCE = 'The text is read from its beginning, once, and each part of it can be read in one way only.'
const SET = 'One set of characters is replaced wherever it stands, with nothing looked for behind it.'
const RUN =
  'The text is the code of a run, or what the run says: it is read where code is run, in lines, and is bounded with the run.'

export const ELSEWHERE: Readonly<Record<string, string>> = {
  'config-hosting.ts': OWN,
  'config-login.ts': OWN,
  'config-exports.ts': OWN,
  'core/registry/limits.ts': ONCE,
  'core/registry/key-format.ts': ONCE,
  'core/registry/records.ts': ONCE,
  'config-models.ts': OWN,
  'config-runner.ts': OWN,
  'config-webhooks.ts': OWN,
  'config.ts': OWN,
  'search/fetch-json.ts': OWN,
  'search/index.ts': OWN,
  'core/terms/settings.ts': OWN,
  'tools/http-tool.ts': ONCE,
  'http/shapes/tools/tool-fields.ts': ONCE,
  'http/shapes/tools/source-name.ts': SET,
  'shell/links/signed-links.ts': ONCE,
  'shell/network/read-whole.ts': ONCE,
  'http/gate/admit.ts': ONCE,
  'http/app.ts': ONCE,
  'http/resources/tasks/agent-task.ts': 'The text is what the validator says, cut to 300 characters.',
  'shell/schedules/cron.ts': 'The text is bounded by 200 characters before it is read.',
  'core/modes/plan/view.ts': SET,
  'http/gate/auth/auth.ts': ONCE,
  'http/gate/login/issuer.ts': OWN,
  'config-telemetry.ts': ONCE,
  'http/gate/idempotency.ts': ONCE,
  'core/modes/orchestrator/mission.ts': ONCE,
  'tools/internet-search.ts': SET,
  'tools/fetch-url/fetch-page.ts': ONCE,
  'search/brave.ts': SET,
  'core/workspace/calendar.ts': SET,
  'core/shown/line-text.ts': SET,
  'core/modes/session/view.ts': SET,
  'core/modes/orchestrator/totals.ts': SET,
  'core/modes/dynamic/normalize.ts': SET,
  'core/modes/autonomous/view.ts': SET,
  'sandbox/chart-spec.ts': SET,
  'sandbox/chart-svg.ts':
    'The text is the picture that echarts draws out of a chart whose marks are counted; it is drawn where code is run.',
  'sandbox/evaluate.ts': RUN,
  'sandbox/error-text.ts': RUN,
  'sandbox/run-output.ts': RUN,
  'sandbox/kit/': 'It runs inside the interpreter, whose fuel bounds it.',
}
