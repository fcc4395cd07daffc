/** The environment of a program. */

/** The program works on texts of other people, so it does not get the key. Undefined variables are left out. */
export function environment(env, { id, command_id, command_type, session_id, deadline, budget }, paths) {
  return {
    ...env,
    LOOP_AGENT_KEY: undefined,
    COMMAND_FILE: paths.command,
    REPORT_FILE: paths.report,
    SPENT_FILE: paths.spent,
    COMMAND_ID: command_id,
    COMMAND_TYPE: command_type,
    SESSION_ID: session_id,
    DELEGATION_ID: id,
    DEADLINE: deadline,
    BUDGET_TOKENS: budget.tokens ?? undefined,
    BUDGET_COST_USD: budget.cost_usd ?? undefined,
    BUDGET_SECONDS: budget.seconds ?? undefined,
  }
}
