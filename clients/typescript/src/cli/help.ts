/** What `loop --help` prints. */
export const HELP = `usage: loop <command> [options]

  loop run "goal"          makes a task and shows plan, thoughts and result as they come
    --mode <mode>          plan_execute (default), dynamic, session, autonomous or orchestrator
    --drive <drive>        background (default): the service works it off, also without this terminal; manual: this command steps it
    --max-steps <n>        its budget of steps; in session and autonomous of iterations
    --file <path>          a file that the task has before it begins; may come several times
  loop watch ID            shows a task until it has ended or waits for a person
    --step                 steps a task with drive manual
  loop answer ID "text"    answers the question, approves (yes, no), or lets a paused task go on (continue)
  loop put ID <file>       gives a task the file that it waits for
  loop tail ID             the events as lines, until the task has ended
    --after <n>            only those behind the event n
  loop list                the tasks, newest first
    --status <status>  --mode <mode>  --limit <n> (20)
  loop show ID             what a task has come to, or what it waits for
  loop cancel ID           ends a task
  loop retry ID            makes an ended task again
    --drive <drive>        other than before

  --json                   JSON on stdout, and the progress on stderr; a line for each event of tail and task of list
  -h, --help               this text

Options may stand anywhere. A text with blanks, or a number, may begin with "-". Any other text that does stands behind "--":
  loop answer ID -- -x

LOOP_AGENT_URL             where the service is; http://127.0.0.1:8787
LOOP_AGENT_KEY             the key; dev-key

Exit code: 0 the goal is reached, 1 it is not, or the request failed, 2 a mistake in the command line, 3 the task waits for a person, 130 interrupted.
`
