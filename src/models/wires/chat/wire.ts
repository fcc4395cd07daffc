/** Chat completions: `POST {base_url}/chat/completions`, which most endpoints speak. */
import type OpenAI from 'openai'
import { withImageLessons } from '../images.ts'
import { connectClient } from '../openai-client.ts'
import type { Wire } from '../wire.ts'
import { collectCompletion } from './collect.ts'
import { nextChatDialect } from './dialect.ts'
import { readCompletion } from './reply.ts'
import { chatBody } from './request.ts'

type ChatParams = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

export const chatWire: Wire = {
  // The cast holds because only chatBody() makes the bodies of this wire, and its test compares them with the API.
  connect: (endpoint) =>
    connectClient(endpoint, (client, body, options) => client.chat.completions.create(body as ChatParams, options)),
  body: chatBody,
  collect: collectCompletion,
  read: (answer, { tools }) => readCompletion(answer, tools.length > 0),
  next: withImageLessons(nextChatDialect),
}
