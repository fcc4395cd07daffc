/** The models that a tenant may name. */
import { answerReply, endpoint } from '../endpoint.ts'
import { configFor } from '../gate/caller-config.ts'
import { jsonAnswer } from '../route-builders.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'

export const MODEL_ROUTES = {
  listModels: endpoint(
    {
      method: 'get',
      path: '/models',
      tag: 'Service',
      open: false,
      summary: 'The models that tasks may name',
      description:
        'The names that `settings.model` and `settings.models` take: the endpoints of MODELS, and models of the default endpoint ' +
        'that ALLOWED_MODELS names. A tenant with a list of its own sees only that list.',
      params: NoParams,
      query: NoQuery,
      body: null,
      headers: [],
      success: jsonAnswer('The models', 'ModelList'),
      also: [],
      problems: [],
    },
    async (ports, { caller }) => {
      const config = await configFor(ports, caller)
      const { learned, now } = ports
      const { modelLine, modelsFor } = await import('../text/model-list.ts')
      const list = modelsFor(config, learned(), { tenant: caller.tenant, now_ms: now() })
      return answerReply(list, () => list.data.map(modelLine))
    },
  ),
}
