// What openapi.yaml says of the other forms of a JSON answer, under `x-text-answers`. In `content` they would make each generated type
// "the task or a text". The examples are what the service makes of the JSON example.
import { agentsText, agentText } from '../../src/http/text/agent-text.ts'
import { delegationsText } from '../../src/http/text/delegation-text.ts'
import { forecastText } from '../../src/http/text/forecast-text.ts'
import { receiverText, usageCsv, usageText } from '../../src/http/text/usage-text.ts'
import { ledgerCsv } from '../../src/http/text/ledger.ts'
import * as plain from '../../src/http/text/plain.ts'
import { runLine, runsText, schedulesText, scheduleText } from '../../src/http/text/schedule-text.ts'

const LINES = {
  Task: (task) => plain.taskText(task, task.command),
  DryRun: forecastText,
  TaskPage: plain.listText,
  EventPage: plain.eventsText,
  JournalPage: plain.journalText,
  StoredPage: plain.exportText,
  DeliveryPage: plain.deliveriesText,
  FilePage: plain.filesText,
  SecretPage: plain.secretsText,
  Usage: usageText,
  TraceReceiver: receiverText,
  Agent: agentText,
  AgentPage: agentsText,
  Schedule: scheduleText,
  SchedulePage: schedulesText,
  ScheduleRun: (run) => [runLine(run)],
  ScheduleRunPage: runsText,
  WebhookTest: plain.webhookTestText,
  CommandResult: plain.commandText,
  DelegationPage: delegationsText,
}

const DESCRIPTIONS = {
  'text/csv': 'RFC 4180, with a header line',
  'text/event-stream': 'Server-Sent Events: `id`, `event`, `data` the whole event',
  'text/html': 'for a person',
  'text/markdown': 'the command file',
}

const TABLES = { JournalPage: (page) => ledgerCsv(page.data), Usage: usageCsv }

/** By media type. */
export function textAnswersOf({ schema, more }, example) {
  const lines = LINES[schema]?.(example)
  const plainText = {
    description: 'the same facts as short lines',
    ...(lines && { example: `${lines.join('\n')}\n` }),
  }
  const others = more.map((type) => [
    type,
    { description: DESCRIPTIONS[type], ...(type === 'text/csv' && { example: TABLES[schema](example) }) },
  ])
  return { 'text/plain': plainText, ...Object.fromEntries(others) }
}
