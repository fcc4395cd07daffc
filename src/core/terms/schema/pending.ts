/** What a task waits for, as clients see it (`Task.pending` in openapi.yaml). */
import * as z from 'zod'

export const Pending = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('question'),
    request_id: z.string(),
    question: z.string(),
    prompt: z.string().describe('the text shown to a person'),
    response_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('what the answer must fit: as a text where it wants a text, else as JSON'),
    choices: z.array(z.string()).nullable().describe('answers to choose from'),
    other_answers: z.boolean().describe('whether an answer outside `choices` is taken too: a model has made them up'),
    expires_at: z.string().nullable(),
    answer_url: z
      .string()
      .nullable()
      .describe('a link by which someone without a key answers this one question; null in lists'),
  }),
  z.object({
    kind: z.literal('file'),
    request_id: z.string(),
    name: z.string().nullable().describe('the name the file must have; null: any file with one of the endings will do'),
    prompt: z.string().describe('the text shown to a person'),
    put_url: z
      .string()
      .describe(
        'where the file is put with a key of the tenant; where any name will do, it ends with NAME, to be replaced',
      ),
    endings: z.array(z.string()).describe('what the name must end with'),
    content_types: z.array(z.string()).describe('the content types of these endings'),
    expires_at: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('approval'),
    request_id: z.string().describe('names this one request: another plan or action has another'),
    action: z
      .object({ tool: z.string(), input: z.string(), item_id: z.string().nullable() })
      .nullable()
      .describe('what waits to be run; null: it is the plan that waits'),
  }),
  z.object({
    kind: z.literal('report'),
    delegation_id: z.string().describe('the command whose report is waited for'),
    deadline: z.string().describe('when it counts as failed without one'),
  }),
  z.object({
    kind: z.literal('tool'),
    tool: z.string().describe('the tool that works on outside'),
    message: z.string().nullable().describe('what its server says of the work'),
    looks_at: z.string().describe('when it is looked at again'),
    deadline: z.string().describe('when it is given up'),
  }),
  z.object({ kind: z.literal('resume'), hint: z.string() }),
])
