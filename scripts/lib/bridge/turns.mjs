/** One step at a time for each command, because renewals, reports and the writing of its file do not know of each other. */

/** The result of the step, which starts after the earlier steps of this command. */
export async function inTurn({ turns }, command_id, step) {
  const before = turns.get(command_id)
  // Its result is only for its own caller.
  const turn = before === undefined ? step() : before.catch(() => undefined).then(step)
  turns.set(command_id, turn)
  try {
    return await turn
  } finally {
    if (turns.get(command_id) === turn) turns.delete(command_id)
  }
}
