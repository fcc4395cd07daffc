// The named schemas of openapi.yaml, printed from zod. They are written so that generated clients need no cast: closed sets are named
// enums, unions name their discriminator, and a member with a default may be left out.
import * as z from 'zod'
import { ANSWERS } from '../../src/http/shapes/answers.ts'
import { ADMIN_REQUESTS } from '../../src/http/shapes/admin-requests.ts'
import { ClaimDelegation, SendReport } from '../../src/http/shapes/delegation-requests.ts'
import { SCHEDULE_REQUESTS } from '../../src/http/shapes/schedule-requests.ts'
import { PutReceiver } from '../../src/http/shapes/telemetry-requests.ts'
import * as schemas from '../../src/http/shapes/requests.ts'
import { ExchangeCode, RefreshLogin } from '../../src/http/shapes/sign-in.ts'
import * as tasks from '../../src/http/shapes/task-requests.ts'

const { tools: Tools } = schemas.PreviewTools.shape
const [SignedTool, HttpTool, McpTools, OpenApiTools] = Tools.element.options
/** All other schemas of requests are written where they are used. */
const REQUESTS = {
  CreateTask: tasks.CreateTask,
  SettingsInput: tasks.SettingsInput,
  PutAgent: tasks.PutAgent,
  CreateAgentTask: tasks.CreateAgentTask,
  StepTask: schemas.StepTask,
  InputTask: schemas.InputTask,
  TopUpTask: schemas.TopUpTask,
  EditPlan: schemas.EditPlan,
  ChangeTask: schemas.ChangeTask,
  PauseTask: schemas.PauseTask,
  ResumeTask: schemas.ResumeTask,
  CancelTask: schemas.CancelTask,
  ForkTask: schemas.ForkTask,
  RetryTask: schemas.RetryTask,
  ReplayTask: schemas.ReplayTask,
  Redeliver: schemas.Redeliver,
  TestWebhook: schemas.TestWebhook,
  PutSecret: schemas.PutSecret,
  PutReceiver,
  ...SCHEDULE_REQUESTS,
  ...ADMIN_REQUESTS,
  AnswerQuestion: schemas.AnswerQuestion,
  RunCommand: schemas.RunCommand,
  PreviewTools: schemas.PreviewTools,
  CallTool: schemas.CallTool,
  Tools,
  SignedTool,
  HttpTool,
  McpTools,
  OpenApiTools,
  ClaimDelegation,
  SendReport,
  ExchangeCode,
  RefreshLogin,
}

export const ref = (name) => `#/components/schemas/${name}`
export const refTo = (name) => ({ $ref: ref(name) })

/** Bounds that only say "a whole number that a computer can hold" are left out. */
export function tidy({ jsonSchema: schema }) {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}

/**
 * A default of a request is said in words. Some generators take a member that has the keyword for one that is always there, so that their callers
 * would have to send it.
 */
function withoutDefault(part, io) {
  tidy(part)
  const { jsonSchema: schema } = part
  if (schema.default === undefined) return
  const { default: value, description = '' } = schema
  delete schema.default
  if (io === 'input' && !/\bdefault\b/.test(description) && value !== '')
    schema.description = [description, `default ${JSON.stringify(value)}`].filter((text) => text !== '').join('; ')
}

/** The variants of a union by the value that tells them apart, and their names: `task_paused` of `Event` is `TaskPausedEvent`. */
const variantsOf = (name, union) =>
  union.options.map((option) => {
    const [value] = option.shape[union.def.discriminator].values
    const words = value.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    return { value, variant: `${words.join('')}${name}`, schema: option }
  })
const UNIONS = Object.entries(ANSWERS).filter(([, schema]) => schema instanceof z.ZodDiscriminatedUnion)
const VARIANTS = new Map(UNIONS.map(([name, union]) => [name, variantsOf(name, union)]))
const variants = [...VARIANTS.values()].flat().map(({ variant, schema }) => [variant, schema])

function components(named, io) {
  const registry = z.registry()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas: printed } = z.toJSONSchema(registry, {
    io,
    uri: ref,
    override: (part) => withoutDefault(part, io),
  })
  return Object.entries(printed).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema])
}

/** All named schemas by their names. */
export const printed = new Map([
  ...components(REQUESTS, 'input'),
  ...components({ ...ANSWERS, ...Object.fromEntries(variants) }, 'output'),
])
for (const [name, union] of UNIONS) {
  const mapping = Object.fromEntries(VARIANTS.get(name).map(({ value, variant }) => [value, ref(variant)]))
  printed.get(name).discriminator = { propertyName: union.def.discriminator, mapping }
}

/** The names of the schemas of requests. */
export const requestName = new Map(Object.entries(REQUESTS).map(([name, schema]) => [schema, name]))
