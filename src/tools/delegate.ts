/**
 * The tool `delegate`: it enters a command where external workers look for one, once under its effect key (S2-10, R28). The task itself keeps the
 * text of the command.
 */
import * as z from 'zod'
import { CommandType, DELEGATE } from '../core/terms/delegation.ts'
import { delegationId } from '../core/terms/delegation-id.ts'
import { enterDelegation, poolNamedBy } from '../shell/pools/pools.ts'
import { onceMoreIfLost } from '../shell/lost-object.ts'
import type { TaskStore } from '../shell/ports.ts'
import type { Tool } from '../shell/tool-ports.ts'

const Input = z.object({ command_type: CommandType })

export function delegate(store: Pick<TaskStore, 'workspace' | 'pool'>): Tool {
  return {
    name: DELEGATE,
    async run(input, { tenant, task, key, settings, begun_ms: at }) {
      if (at === undefined) throw new Error('a command is a round itself')
      const { command_type: type } = Input.parse(JSON.parse(input))
      const id = delegationId(task, Number(key.slice(task.length + 1)))
      const entry = { id, task, type, at, deadline: at + settings.report_timeout_s * 1000 }
      const place = { tenant, pool: poolNamedBy({ mode: 'orchestrator', settings }) }
      await onceMoreIfLost(() => enterDelegation(store, place, entry))
      return { ok: true, code: 'delegated', text: id }
    },
  }
}
