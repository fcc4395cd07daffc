/** One thing at a time for each command: a renewal, a report and the writing of its file know nothing of each other. */

/** What the step gives, once those of this command before it are over. */
export async function inTurn({ turns }, command_id, step) {
  const before = turns.get(command_id)
  // What became of it is for its own caller.
  const turn = before === undefined ? step() : before.catch(() => undefined).then(step)
  turns.set(command_id, turn)
  try {
    return await turn
  } finally {
    if (turns.get(command_id) === turn) turns.delete(command_id)
  }
}
