export interface paths {
    "/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description The tenant's tasks, newest first, without slice, plan items, last thought and handover.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Make a task
         * @description Makes the task, plans it, then advances one slice. A task whose planning failed is still 201: see its status. As a form, `goal` (or `input`, `Body`, `text`) is the goal, and `mode`, `locale`, `timezone`, `rounds` and `max_ms` may stand beside it; as plain text the whole body is the goal. With `hold: true` it is made and not begun: `paused`, with the stop reason `held`, until `/resume`. As `multipart/form-data` it has files too: the fields first, each as a part or all of them as JSON in the part `task`, then each file under its `filename`, bounded as one that is put. They are there before the task begins; if one is refused, no task is made.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a task without making it
         * @description Takes what `POST /tasks` takes, plans it and keeps nothing: `id` is null, and `forecast` says what the task would cost. Nothing is acted on; `rounds`, `max_ms` and `drive` have no effect.
         */
        post: operations["dryRunTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task
         * @description The task as it stands; `slice` is null. Changes nothing.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        /**
         * Delete a task
         * @description Removes everything stored for it, also while a slice runs. After that it is 404.
         */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        /**
         * Change drive, callback, labels or title
         * @description Each member that is named takes the place of the earlier one, also of a task that has ended; nothing else of a task can be changed. While an effect is under way the answer shows the task as it is, and the change follows when that is done. With `If-Match` it is made only if the task is at that version. What the callback was not told yet goes to the new address.
         */
        patch: operations["changeTask"];
        trace?: never;
    };
    "/tasks/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all links of a task
         * @description Links to its events, its files, its question and its commands that were made before open nothing any more, whoever holds them; what watches it is cut off and may come again. Its next answers carry new ones. Once more ends those too.
         */
        delete: operations["endLinks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance one slice
         * @description At most `rounds` rounds, none begun after `max_ms`; an empty body means the defaults. On a task that waits or has ended nothing is done: 200 with `slice.advanced: false`, so a loop of requests ends cleanly. `Accept: text/event-stream` shows the slice as it happens: its events as `/tasks/{id}/events` does, `thought_delta` with the next words of the model (`journal_seq`, `phase`, `from` as the number of characters before, `text`), and at the end `event: answer` with the task, or `event: problem`. Hanging up then ends the model call within two seconds, and it is charged as a lost one.
         */
        post: operations["stepTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something to a task
         * @description The cancel phrase cancels; a text that begins with `/` runs as a slash command and leaves the task as it is; otherwise it answers the open question, decides what waits for approval (approve, yes, ok, 同意, 批准; reject, no, 拒绝; anything else says what to change), answers a request for a file (the name of a file of the task, or any other text to go on without it), resumes a paused task, or is kept as a remark. A paused `session` answers other text beside its work, by one model call without tools; said to a completed one it begins its next run. A text that says "continue" lets a task go on that ended with `contract_failures`. A task with `drive: background` is answered at once as it then stands, whatever `rounds` says: the service goes on with it. As a form the field is `input` (or `Body`, `text`); as plain text the whole body is the input. `Accept: text/event-stream` shows the slice as it happens: its events as `/tasks/{id}/events` does, `thought_delta` with the next words of the model (`journal_seq`, `phase`, `from` as the number of characters before, `text`), and at the end `event: answer` with the task, or `event: problem`. Hanging up then ends the model call within two seconds, and it is charged as a lost one.
         */
        post: operations["inputTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Top up the budget
         * @description Raises the maximum of each axis named; an axis without a maximum stays without one. A task paused by an axis that was raised can go on, and so can one that ended with `contract_failures`, with `attempts`. No round is begun: send `/step` for that, unless the service drives it.
         */
        post: operations["topUpTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit the plan
         * @description Replaces the items that are not finished; those that are stay as they are. While an effect is under way the answer shows the task as it is, and the edit follows when that is done: of its items those that have been finished by then are left out (the event `plan_edited` names them), as is the whole of it when the task has ended. A plan that waits for its approval waits again, under a new `request_id`. No round is begun: send `/step` for that, unless the service drives it.
         */
        patch: operations["editPlan"];
        trace?: never;
    };
    "/tasks/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold a task
         * @description Before its next round; an effect under way is finished first, and the answer then shows the task as it is until that is done. 200 also when it is paused already or has ended.
         */
        post: operations["pauseTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a paused task go on
         * @description Never grants budget: a task whose budget is spent stays as it is. A task that ended with `contract_failures` goes on, with as many attempts as before. No round is begun: send `/step` for that, unless the service drives it. 200 also when nothing changes.
         */
        post: operations["resumeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task
         * @description Also while a slice runs, whose late commit is refused. 200 also when it has ended already.
         */
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened, and what happens
         * @description The events of the task in order, `seq` dense from 1. The `journal_seq` of a payload is the row that caused it. As JSON it is a page. `Accept: text/event-stream` goes on as the task does: `id` is the seq, `event` the type, `data` the whole event; it begins after `Last-Event-ID` or `after`, has a comment every 15 s, has `event: thought_delta` without an id while a model speaks (its next words, which are not stored: `journal_seq`, `phase`, `from` as the number of characters before, `text`), and closes after `event: end` when the task has ended: close an EventSource then, or it comes again. Without that event it was interrupted: come again with the last id. `Accept: text/plain` without `limit` gives the progress lines as they happen. A WebSocket on this path gets the same events, one text message each, and is closed with 1000 after the last one; with 1013 when more than 1 MiB was sent since it last said anything. A task has at most 200 watchers.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of a task
         * @description Every effect in order: what was asked, what came back, whether it counted, what it cost. Rows that are no effects are listed too, uncounted, so `seq` has no gaps. `Accept: text/csv` gives one line for each row under a header line; the next page is then in the header `Link`. Of a task whose rows are damaged it lists those that can be read; `unreadable` names the others, and `incomplete` is true.
         */
        get: operations["listJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows of a task as they are stored
         * @description Every row of the journal with its parts as the texts that are stored: a copy to keep, and the way to what a task holds that answers `state_unreadable` elsewhere. Rows that cannot be read at all are named by `unreadable`, and `incomplete` is true. As plain text it is one JSON object a line; the next page is in the header `Link`.
         */
        get: operations["exportTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a task from the past of another
         * @description A new task in the state after the row `at`: the rows up to it are copied with what they cost, and it goes on by its own limits – those in `settings`, else those of the other task. `edit` has that last row say something else, in the shape in which `/journal` prints its `reply`. Nothing is called and no effect is begun: send `/step` for that, or ask for `drive: background` here. Neither `drive` nor `callback_url` is that of the other task. Settings by which a copied row would have been decided otherwise are refused with the row that stands against them. Tools that have acted are not undone.
         */
        post: operations["forkTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a task again that has ended
         * @description A new task with the goal, mode, settings, tools, labels and files of the ended one, and with a budget of its own. It begins anew: nothing that the other task found or spent is in it. `settings` has those that are to differ. It is driven as the other task is and reports to its callback, unless `drive` and `callback_url` say otherwise; without `background` it waits for `/step`. It names the other task as `forked_from`.
         */
        post: operations["retryTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the state machine again on what is recorded
         * @description No model, no tool, nothing written: each row is held against what the state machine makes of the state before it and the recorded outcome – the effect that was wanted, the request where its wording has not changed since, the state, and the events it caused. A task that goes on meanwhile is compared as far as it has come.
         */
        post: operations["replayTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a file
         * @description The bytes of a file: one that was put, one that a tool has written, or a document of the mode.
         */
        get: operations["getFile"];
        /**
         * Put a file
         * @description The body is the file, as it is: `curl -T sales.csv …/files/` does it. The ending of its name says what it is – csv, tsv, json, xlsx, xls, md, txt, png, jpg, jpeg, webp or gif, in any case – whatever the content type of the request. At most 50 MiB, a spreadsheet 10 MiB, an image 5 MiB, a text 256 KiB, counted as they come; at most 100 files a task. An image has to be of the type that its name says, with 1 to 8000 pixels on each side. All that is stored for a tenant takes at most `MAX_STORED_BYTES` together. Also while a slice runs: what its effect under way has written, or is about to, counts as written before. A task that waits for the file goes on (`pending.kind: file`). A task that has ended for good takes no more files.
         */
        put: operations["putFile"];
        post?: never;
        /**
         * Delete a file
         * @description Whoever wrote it, also of a task that has ended: what it took is free again. After that it is 404.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a task
         * @description By name: those that were put, those that tools have written, and the documents of the mode.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One agent
         * @description Its newest version, or the one that the path names: `/agents/support@3`.
         */
        get: operations["getAgent"];
        /**
         * Put an agent
         * @description Instructions, mode, tools, settings with models, budget and approvals, and the schemas of input and result, under a name. It is checked as POST /tasks checks a task. Each body that differs from the newest version is the next version; the same body again changes nothing. The newest 100 versions are kept. With `If-Match` it is put only if the newest version has that tag, with `If-None-Match: *` only if there is no such agent.
         */
        put: operations["putAgent"];
        post?: never;
        /**
         * Delete an agent
         * @description With all its versions; an agent that is put under the name later begins at version 1. Refused while tasks that it has made are open, unless `force` is true. Its tasks stay, and keep what it said. A schedule that names it is refused at its next tick.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent
         * @description Newest first, each with its whole definition.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{name}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a task by an agent
         * @description As `POST /tasks` with this `agent`: its newest version, or the one that the path names (`/agents/support@3/tasks`). As plain text or a form the body is the goal, in place of that of the agent; files come as they do there.
         */
        post: operations["createAgentTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents
         * @description By name, each in its newest version.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One secret
         * @description Its hosts, its dates and its last use. Its value cannot be read.
         */
        get: operations["getSecret"];
        /**
         * Put a secret
         * @description A value for the headers of tools, which name it as `secret:NAME`, and the hosts that it may be sent to. It is stored sealed, and no answer, event or prompt ever has it. Putting it again replaces value and hosts. A tenant has at most 100.
         */
        put: operations["putSecret"];
        post?: never;
        /**
         * Delete a secret
         * @description A call that names it fails from now on, also of a task that is under way.
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets
         * @description By name: hosts, dates and last use of each. No values.
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One schedule
         * @description With its next five ticks and its newest run.
         */
        get: operations["getSchedule"];
        /**
         * Put a schedule
         * @description Makes a task at each time of a cron expression, or at equal distances. The task is checked as POST /tasks checks it. Putting it again replaces all of it but its runs; while the timing is the same, its next tick stays.
         */
        put: operations["putSchedule"];
        post?: never;
        /**
         * Delete a schedule
         * @description It and the list of its runs are gone. Its tasks stay.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description Its ticks pass without a run. Its tasks go on. 200 also when it is paused already.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a paused schedule go on
         * @description From its next tick on: those that have passed meanwhile are not made up for.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule now
         * @description Makes one task of it at once, whatever is open, and also while it is paused. `daily` and the quotas of the tenant hold. Its ticks stay as they are.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{name}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule
         * @description Newest first: what became of each tick, and which task it has. The newest 200 are kept.
         */
        get: operations["listScheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules
         * @description By name, each with its next five ticks and its newest run.
         */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a slash command
         * @description Todos, schedule and views of the tenant, by fixed rules and without a model. A command that fails is 200 with `ok: false`. As a form the field is `command` (or `input`, `Body`, `text`); as plain text the whole body is the command.
         */
        post: operations["runCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries that were given up
         * @description What the callbacks of tasks were not told: given up after ten tries in 75 hours, or no longer wanted by the receiver (410), and what became of those that were sent again. Newest first, at most the newest 1000. A delivery that arrives in time is not listed.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description One message of the type `webhook.test`, signed like any other, to an address by the rules of `callback_url`. What comes back is 200 here: `ok` says whether a real delivery would have been taken. It is not tried again, and nothing is kept. At most 10 per minute.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description From the beginning and at once, with the same `webhook-id`, and all that its task has to tell after it. One that is still being sent goes on as it is.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/answers/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at an answer link
         * @description A small page for the person the link was given to: the question and a form, or what became of it. Changes nothing: programs that look at links before people do must not answer them.
         */
        get: operations["getAnswer"];
        put?: never;
        /**
         * Answer a question by its link
         * @description The text is the answer to that one question, literally: no command, no cancel phrase. The same answer again is 200, another one 409 `question_settled`: it is safe to send again without an Idempotency-Key too. As a form the field is `input` (or `answer`, `Body`, `text`); as plain text the whole body is the answer. A browser is answered by a page.
         */
        post: operations["postAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delegations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delegations
         * @description Commands of one pool for workers outside, newest first; `status=pending` are those that nobody works on. With `Prefer: wait=N` the first page of these is waited for when there is none. The text and the sections of a report are cut to 2000 characters each.
         */
        get: operations["listDelegations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pools of workers
         * @description By name: the default pool, which has none, and the pools to which tasks of the tenant have dispatched commands, with what is open in each. A pool goes when its last task is deleted.
         */
        get: operations["listPools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delegations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delegation
         * @description With `Accept: text/markdown` the command file, under its name: what is to be done.
         */
        get: operations["getDelegation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delegations/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a delegation
         * @description Leases it to one worker, so that no other takes it meanwhile; the same worker again renews its lease. It keeps nobody from reporting: a report needs no claim.
         */
        post: operations["claimDelegation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delegations/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report on a delegation
         * @description As Markdown, or plain text, the body is the report file: what cannot be read of it is left out, and its whole text is kept. It is recorded, and the task can go on; nothing of it runs in this request. The same report again is 200 and changes nothing, another one 409 `already_reported`: it is safe to send again without an Idempotency-Key too.
         */
        post: operations["reportDelegation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report by a link
         * @description The same by the `report_url` of the command file, without a key. As Markdown, or plain text, the body is the report file: what cannot be read of it is left out, and its whole text is kept. The answer shows nothing that the command file did not have but the report itself. A link is 404 when it was changed, or its task was deleted.
         */
        post: operations["postReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The schedule as a calendar
         * @description Events and the todos that are due, as iCalendar (RFC 5545) for calendar programs: repetition as `RRULE`, reminders as `VALARM`, times in the zone of the workspace. A program that cannot send a key takes the address in the header `Link`; it lets its holder read this and nothing else, and expires after a year.
         */
        get: operations["getCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The models that tasks may name
         * @description The names that `settings.model` and `settings.models` take: the endpoints of MODELS, and models of the default endpoint that ALLOWED_MODELS names. A tenant with a list of its own sees only that list.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your limits, and what is used of them
         * @description The limits in force for your tenant, and those of your key if it has any: requests, open tasks, bytes, tokens and money of the UTC day and of the calendar month, models and hosts. The strictest one wins. What tasks have reserved for their next calls counts as used.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The built-in tools
         * @description What the service itself offers to models, with the modes that offer it, and the kinds of tools that `tools` of `POST /tasks` takes beside it.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a task with these tools would offer
         * @description Takes `tools` as `POST /tasks` does, lists every source once, and keeps nothing. A source that cannot be listed is `unavailable`, with the reason in its notes. All lists together have 60 s; a source whose turn does not come is `not_listed`.
         */
        post: operations["previewTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a tool
         * @description Calls one of these tools once, outside of any task, within 30 s. Whatever the tool or its server does is 200: `ok` says whether the call succeeded. Nobody is asked for approval, and no file is kept.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tools of a task
         * @description What its model may call now, each with its schema and its origin, and what became of each source. The addresses of tools are never shown.
         */
        get: operations["listTaskTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How to sign in
         * @description Whether tokens of an issuer are accepted beside keys, and how the console gets one.
         */
        get: operations["getSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a sign-in
         * @description Exchanges the code of the issuer for its tokens, as a public client with PKCE. The answer has the token that this service accepts.
         */
        post: operations["exchangeCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a login
         * @description Gets a new token from the issuer before the one in use has expired.
         */
        post: operations["refreshLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenants
         * @description By name. A key with the scope `admin` sees its own tenant.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Make a tenant
         * @description For operators. A tenant owns its tasks, files and secrets, and no key of another one reaches them. Nothing is made for it before its first request. A tenant that API_KEYS names is registered in the same way, to give it limits and keys.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenant}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tenant
         * @description Its limits, and whether it is disabled.
         */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        /**
         * Delete a tenant
         * @description For operators, and only a disabled tenant. All its keys are revoked for good, and it is listed no more. Its name stays taken, because what is stored under the name would fall to whoever took it again. Its tasks are deleted when they have been idle for their `idle_ttl_s`, as always; to have them gone at once, delete them before.
         */
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        /**
         * Change or disable a tenant
         * @description For operators. Within 60 s a disabled tenant is refused everywhere: its keys (those of API_KEYS too), its links and its schedules, and none of its tasks is driven. What it has stored stays, and goes on when it is enabled. Limits that are left out stay as they are.
         */
        patch: operations["changeTenant"];
        trace?: never;
    };
    "/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys
         * @description Newest first, with revoked and expired ones, of which the newest 1000 of a tenant are kept: prefix, scopes, last use and expiry. No keys.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make a key
         * @description The answer has the key, this once: only its SHA-256 is stored. With the scope `admin` a key makes keys of its own tenant, which have at most its own scopes, limits and time. The same Idempotency-Key again answers the same key of the registry, without the key itself.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a key
         * @description What it may do, and its last use. The key itself cannot be read.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description For good. It is refused everywhere within 60 s, and streams that it has opened end. Tasks that it has made go on: they belong to its tenant.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Makes a key with the same tenant, name, scopes and limits, and lets the other one expire after `grace_s`: until then both work. Without `expires_at` or `expires_in_s` the new one expires when the other one would have. A key that has been rotated is not rotated again while its successor is live.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Calls of the routes under /admin that got as far as the registry, newest first, also those that it refused. It never has a key. Of each tenant, and of the operators, the newest 10000 changes and 1000 reads are kept, for 400 days at most.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/deployment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at the deployment
         * @description For operators. Each binding with its state, after one small question that writes nothing; AI, BROWSER, ANALYTICS and RATE_LIMITER are not asked. All questions together take a second at most, and Cloudflare counts them as a few reads. Then what the bindings and the variables switch on. Values of variables are never told.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the tenant has used
         * @description Tasks, calls, steps, tokens, money and working time, summed by UTC day, key, model or mode. The sums follow from the journals of the tasks and are exact, but rows of the last seconds may be missing. Deleted tasks count too. `Accept: text/csv` gives one line for each sum.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where your spans go
         * @description The receiver of the tenant, and its latest failure. A header shows the name of its secret; any other value is hidden.
         */
        get: operations["getReceiver"];
        /**
         * Have the spans of your tasks sent to you
         * @description OpenTelemetry spans (OTLP over HTTP) of each run of work, model call, tool call and delegation go to this address too, beside the receiver of the service. A change counts within half a minute. Headers may name secrets; put them first with `PUT /secrets/{name}`. A key needs both `tasks:read` and `tasks:write`, because spans tell of every task of the tenant.
         */
        put: operations["putReceiver"];
        post?: never;
        /**
         * Send your spans nowhere of yours
         * @description The receiver of the service still gets them, if there is one. A key needs both `tasks:read` and `tasks:write`.
         */
        delete: operations["deleteReceiver"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness, version and model
         * @description Answers without touching any storage, and calls no model.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This contract as JSON
         * @description The document you are reading.
         */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This contract as YAML
         * @description The document you are reading.
         */
        get: operations["getOpenapiYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This contract as a page
         * @description A readable page of this contract. It loads nothing from anywhere else.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the page
         * @description Script and style of the readable page.
         */
        get: operations["getDocsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The console
         * @description A page to see and steer tasks with. It asks for a key and does nothing that this contract does not offer.
         */
        get: operations["getConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the console
         * @description Script and style of the console.
         */
        get: operations["getConsoleFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of the deployment for Prometheus
         * @description Counters and gauges of all tenants together, in the text format 0.0.4, or in OpenMetrics 1.0 for an `Accept` that prefers `application/openmetrics-text`. It wants `METRICS_TOKEN`, or `ADMIN_KEY`, as bearer token; in development without one it is open. In production without one there is no such route. Counts may be ten seconds old.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateTask: {
            /** @description what is to be done, in English or Chinese. It is needed, unless `agent` has one */
            goal?: string;
            /**
             * @description default "plan_execute"
             * @enum {string}
             */
            mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
            /** @description what the model has to keep to in every phase: role, language, tone, what to leave alone. It stands in the fixed part of each prompt, and changes nothing of how the mode works; null: none */
            instructions?: string | null;
            /** @description JSON Schema of `result.data`, an object; at most 16 KB, references within it only. The task ends with one call that gives the data; null: the result is text */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            tools?: components["schemas"]["Tools"];
            settings?: components["schemas"]["SettingsInput"];
            /**
             * @description language of prompts and texts; by the script of the goal when left out
             * @enum {string}
             */
            locale?: "en" | "zh";
            /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
            timezone?: string;
            /** @description up to 16 labels of your own, 4 KB in all */
            metadata?: {
                [key: string]: string;
            };
            /** @description what you call the task; nothing is decided by it */
            title?: string;
            /**
             * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
            callback_url?: string;
            /** @description seconds the task is kept after it has ended; default 2592000 */
            idle_ttl_s?: number;
            /** @description the agent by which the task is made, `name` for its newest version or `name@version`. The task keeps that version. `mode`, `instructions`, `tools` and `output_schema` are then those of the agent */
            agent?: string;
            /** @description what the agent works on, an object that is valid by its `input_schema`; at most 16384 bytes. It fills in the `{{name}}` of the agent's goal, and stands below the goal where it fills in nothing */
            input?: {
                [key: string]: unknown;
            };
            /** @description rounds of the slice at most; 0 only plans; default 1 */
            rounds?: number;
            /** @description no round begins after this time, in ms; default 25000 */
            max_ms?: number;
            /** @description true: made and not begun; it takes files and remarks, and begins when it is resumed; `rounds` is then ignored; default false */
            hold?: boolean;
        };
        SettingsInput: {
            /** @description the step budget: thoughts, replans and actions; in `dynamic` actions, in `orchestrator` commands; default 20, in dynamic 100, in orchestrator 100, unless configured otherwise */
            max_steps?: number;
            /** @description turns of the model in `autonomous`, and in each run of a `session`; default 20, in session 200, unless configured otherwise */
            max_iterations?: number;
            /** @description tokens of all model calls together, input and output; default null, unless configured otherwise */
            max_tokens?: number | null;
            /** @description what all model calls may cost, in USD, such as "0.50"; the models need a known price; default null, unless configured otherwise */
            max_cost_usd?: string | null;
            /** @description seconds of working time: model and tool calls; waiting is free; default null, unless configured otherwise */
            max_seconds?: number | null;
            /** @description further attempts of a plan call that gave no plan; they are free; default 2, unless configured otherwise */
            plan_retries?: number;
            /** @description whether a reply of the model has to be one JSON object and nothing else; otherwise the object that is meant is read out of it; default false, unless configured otherwise */
            strict_replies?: boolean;
            /**
             * @description `few`: fewer model calls in `plan_execute` and `dynamic`: tools are called natively, a thought may end its item, an unchanged plan is not made again. The other modes have no calls to leave out; default "exact", unless configured otherwise
             * @enum {string}
             */
            calls?: "exact" | "few";
            /** @description failures in a row after which the task stops; after so many failed actions of an item it may not act again; default 2, unless configured otherwise */
            failure_limit?: number;
            /** @description questions that may be put to a person; default 6, unless configured otherwise */
            max_clarifications?: number;
            /** @description characters of one result that the model is shown; default 10000, unless configured otherwise */
            observation_char_limit?: number;
            /** @description newest results that the model is shown; default 100, unless configured otherwise */
            observation_history_limit?: number;
            /** @description the input that cancels the task; default "取消当前任务", unless configured otherwise */
            cancel_phrase?: string;
            /** @description whether "continue" on a spent budget grants the original amount again; default true, unless configured otherwise */
            continue_grants?: boolean;
            /** @description the model of all phases: a name of `GET /models`, of an endpoint or of a model at the default one; null: the configured one; default null, unless configured otherwise */
            model?: string | null;
            /** @description a model of its own for some phases, named in the same way; default {}, unless configured otherwise */
            models?: {
                plan?: string;
                thought?: string;
                replan?: string;
                turn?: string;
                think?: string;
                step_decision?: string;
                action?: string;
                evaluate?: string;
                summary?: string;
                result?: string;
            };
            /** @description how freely the model chooses its words; default 0, unless configured otherwise */
            temperature?: number;
            /** @description how much the model thinks before it replies; null: as the endpoint has it. Its thoughts count in `max_output_tokens`; default null, unless configured otherwise */
            reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high") | null;
            /** @description temperature, reasoning effort and output cap of some phases; default {}, unless configured otherwise */
            phases?: {
                [key: string]: {
                    temperature?: number;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                    max_output_tokens?: number;
                };
            };
            /** @description seconds a model call may take; default 60, unless configured otherwise */
            model_timeout_s?: number;
            /** @description seconds between two parts of a reply that is streamed; before the first one only `model_timeout_s` counts; default 60, unless configured otherwise */
            model_silence_s?: number;
            /** @description tokens of one reply of the model; default 4096, unless configured otherwise */
            max_output_tokens?: number;
            /** @description seconds an open question waits for its answer; default 604800, unless configured otherwise */
            question_ttl_s?: number;
            /**
             * @description what becomes of the task when a question was not answered in time; default "pause", unless configured otherwise
             * @enum {string}
             */
            on_question_expired?: "pause" | "fail";
            /** @description what a person approves before it is acted on: nothing, the plan, each action, or the calls of tools: names with `*` (`tickets.*`), `http:POST`, `http:*`, `hint:destructive`, `hint:acts`; default "none", unless configured otherwise */
            approve?: ("none" | "plan" | "actions") | {
                tools: string[];
            };
            /** @description `session`: whether it goes on by itself to five times `max_iterations`, and then fails; default false, unless configured otherwise */
            auto_continue?: boolean;
            /**
             * @description `autonomous`: whether the model leads itself, or the program leads it stage by stage; default "autonomous", unless configured otherwise
             * @enum {string}
             */
            agent_mode?: "autonomous" | "staged";
            /** @description `autonomous`: the name of the file it is about; null: the only table there is, or what the goal says; `dynamic` and `session` ask for it when it is missing; default null, unless configured otherwise */
            dataset?: string | null;
            /** @description `autonomous`, `session`: estimated tokens of the conversation that the model is shown; default 32000, unless configured otherwise */
            transcript_token_limit?: number;
            /** @description `session`: whether a step that has only read is over when writing begins; default false, unless configured otherwise */
            tool_boundary_hint?: boolean;
            /** @description `session`: whether a step of many parts may take more rounds than five before it counts as done; default false, unless configured otherwise */
            fallback_by_step_size?: boolean;
            /** @description `session`: steps for goals that contain one of the words, where the model declares none; default [], unless configured otherwise */
            plan_templates?: {
                words: string[];
                steps: string[];
            }[];
            /** @description `dynamic`: actions of one step, after which it fails; default 10, unless configured otherwise */
            max_actions_per_step?: number;
            /** @description `dynamic`: times the same action may come in a row; then it is warned of, refused, and ends the step; default 3, unless configured otherwise */
            repeat_action_limit?: number;
            /** @description `dynamic`: seconds of working time a step may take; default 600, unless configured otherwise */
            step_timeout_s?: number;
            /** @description `dynamic`: decisions that may change the plan; default 10, unless configured otherwise */
            max_adjustments?: number;
            /** @description `dynamic`: whether decisions may add and remove steps; default true, unless configured otherwise */
            dynamic_planning?: boolean;
            /** @description `dynamic`: whether one model call takes the place of think, decision and action; default false, unless configured otherwise */
            merged_calls?: boolean;
            /** @description `orchestrator`: seconds the report of a command is waited for; a claim that lasts longer extends it; default 3600, unless configured otherwise */
            report_timeout_s?: number;
            /** @description `orchestrator`: the pool of workers that its commands are for; null: the default pool; default null, unless configured otherwise */
            worker_pool?: string | null;
            /** @description `orchestrator`: further attempts at a step that failed, before a person is asked; default 3, unless configured otherwise */
            max_retries_per_step?: number;
            /** @description `orchestrator`: how often the steps that are left may be replaced; then a person is asked; default 10, unless configured otherwise */
            max_replans?: number;
            /** @description `orchestrator`: what each command may spend of the budget; null: nothing is said of it; default null, unless configured otherwise */
            command_budget?: {
                tokens?: number;
                cost_usd?: string;
                seconds?: number;
            } | null;
            /** @description results of a search that the model is shown; default 3, unless configured otherwise */
            search_top_k?: number;
            /** @description whether fetch_url keeps to robots.txt; default true, unless configured otherwise */
            respect_robots?: boolean;
            /** @description days a schedule list or view may span; default 31, unless configured otherwise */
            schedule_window_days?: number;
            /** @description days for which an endless repetition is tested for conflicts; default 31, unless configured otherwise */
            conflict_preview_days?: number;
        };
        PutAgent: {
            /** @description for people: what it is for */
            description?: string;
            /** @description what each of its tasks is to do. `{{name}}` stands for the member `name` of the input; left out: to handle the input by the instructions */
            goal?: string;
            /** @description JSON Schema of `input`, an object, with the words of `output_schema`; null: any object, or none */
            input_schema?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description default "plan_execute"
             * @enum {string}
             */
            mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
            /** @description what the model has to keep to in every phase: role, language, tone, what to leave alone. It stands in the fixed part of each prompt, and changes nothing of how the mode works; null: none */
            instructions?: string | null;
            /** @description JSON Schema of `result.data`, an object; at most 16 KB, references within it only. The task ends with one call that gives the data; null: the result is text */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            tools?: components["schemas"]["Tools"];
            settings?: components["schemas"]["SettingsInput"];
            /**
             * @description language of prompts and texts; by the script of the goal when left out
             * @enum {string}
             */
            locale?: "en" | "zh";
            /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
            timezone?: string;
            /** @description up to 16 labels of your own, 4 KB in all */
            metadata?: {
                [key: string]: string;
            };
            /** @description what you call the task; nothing is decided by it */
            title?: string;
            /**
             * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
            callback_url?: string;
            /** @description seconds the task is kept after it has ended; default 2592000 */
            idle_ttl_s?: number;
        };
        CreateAgentTask: {
            /** @description in place of the goal of the agent */
            goal?: string;
            /** @description what the agent works on, an object that is valid by its `input_schema`; at most 16384 bytes. It fills in the `{{name}}` of the agent's goal, and stands below the goal where it fills in nothing */
            input?: {
                [key: string]: unknown;
            };
            settings?: components["schemas"]["SettingsInput"];
            /**
             * @description language of prompts and texts; by the script of the goal when left out
             * @enum {string}
             */
            locale?: "en" | "zh";
            /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
            timezone?: string;
            /** @description up to 16 labels of your own, 4 KB in all */
            metadata?: {
                [key: string]: string;
            };
            /** @description what you call the task; nothing is decided by it */
            title?: string;
            /**
             * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
            callback_url?: string;
            /** @description seconds the task is kept after it has ended; default 2592000 */
            idle_ttl_s?: number;
            /** @description rounds of the slice at most; 0 only plans; default 1 */
            rounds?: number;
            /** @description no round begins after this time, in ms; default 25000 */
            max_ms?: number;
            /** @description true: made and not begun; it takes files and remarks, and begins when it is resumed; `rounds` is then ignored; default false */
            hold?: boolean;
        };
        StepTask: {
            /** @description rounds of the slice at most; 0 only plans; default 1 */
            rounds?: number;
            /** @description no round begins after this time, in ms; default 25000 */
            max_ms?: number;
        };
        InputTask: {
            /** @description an answer, a remark, "continue", the cancel phrase, or a slash command */
            input: string;
            /** @description the question that is answered; refused unless it is the open one */
            request_id?: string;
            /** @description rounds of the slice at most; 0 only plans; default 1 */
            rounds?: number;
            /** @description no round begins after this time, in ms; default 25000 */
            max_ms?: number;
        };
        TopUpTask: {
            /** @description how much more of each axis */
            add: {
                /** @description of `plan_execute`; actions of `dynamic` */
                steps?: number;
                /** @description of `session` */
                iterations?: number;
                /** @description failures in a row beyond `failure_limit`, or `plan_retries`, until the next valid decision. A task that ended with `contract_failures` goes on */
                attempts?: number;
                tokens?: number;
                /**
                 * @description USD as a decimal string above 0, such as "0.50"
                 * @example 0.50
                 */
                cost_usd?: string;
                /** @description of working time */
                seconds?: number;
            };
        };
        EditPlan: {
            /** @description what takes the place of the items that are not finished, in order */
            items: {
                /** @description of an unfinished item; without it one of the same title, or a new one */
                id?: string;
                title: string;
                /** @description left out: as it was */
                description?: string;
                /** @description left out: as it was */
                expected_output?: string | null;
            }[];
        };
        /** @description what is to be changed, and nothing else */
        ChangeTask: {
            /**
             * @description background: the service goes on with it; manual: it stops after the slice under way
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description null: nobody is told any more */
            callback_url?: string | null;
            /** @description in place of all labels */
            metadata?: {
                [key: string]: string;
            };
            /** @description null: none */
            title?: string | null;
        } & {
            [key: string]: unknown;
        };
        PauseTask: Record<string, never>;
        ResumeTask: Record<string, never>;
        CancelTask: Record<string, never>;
        ForkTask: {
            /** @description the seq of a closed row of the journal: the last one that is copied */
            at: number;
            /** @description those that are to differ; the others are those of the task */
            settings?: components["schemas"]["SettingsInput"];
            edit?: {
                /** @description the same as `at` */
                seq: number;
                /** @description in the shape in which the journal prints `reply` of such a row */
                outcome: {
                    /** @description of a model, a tool, an answer or a remark */
                    text?: string;
                    /** @description with `status`: of a model call that failed */
                    reason?: string;
                    /** @description of the HTTP error, null for any other failure */
                    status?: number | null;
                    /** @description with `code` and `text`: of a tool */
                    ok?: boolean;
                    code?: string;
                    /** @description of a model that calls tools natively */
                    tool_calls?: {
                        id: string;
                        name: string;
                        arguments: string;
                    }[];
                    /** @description as it was printed */
                    negotiated?: ("json_schema" | "json_object" | "text")[];
                };
            };
            /**
             * @description whatever drives the other task: a fork does nothing until it is told to; default "manual"
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description of the fork; left out: nobody is told of it, whoever is told of the other task */
            callback_url?: string;
        };
        RetryTask: {
            /** @description those that are to differ; the others are those of the task */
            settings?: components["schemas"]["SettingsInput"];
            /**
             * @description left out: as the task is driven
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description left out: as the task has it; null: nobody is told */
            callback_url?: string | null;
        };
        ReplayTask: Record<string, never>;
        Redeliver: Record<string, never>;
        TestWebhook: {
            /** @description where the test delivery is sent, by the same rules as `callback_url` */
            url: string;
        };
        PutSecret: {
            /** @description printable ASCII, as a header may carry it; it is never shown again */
            value: string;
            /** @description where the value may be sent: `host`, or `host:port` for this port only. No scheme, no path, no `*`; a sub-domain is another host */
            hosts: string[];
        };
        PutReceiver: {
            /**
             * Format: uri
             * @description the whole address that spans are posted to, such as `https://otlp.example.com/v1/traces`
             */
            endpoint: string;
            /**
             * @description default "http/protobuf"
             * @enum {string}
             */
            protocol?: "http/protobuf" | "http/json";
            /** @description sent with each request; a value may name a secret of the tenant: `Bearer secret:NAME`; default {} */
            headers?: {
                [key: string]: string;
            };
            /** @description whether prompts and results are sent too; default false */
            capture_content?: boolean;
        };
        PutSchedule: {
            /**
             * @description five fields: minute, hour, day of the month, month, day of the week. Or `every_s`; default null
             * @example 0 9 * * MON-FRI
             */
            cron?: string | null;
            /** @description seconds between ticks, counted from now on. Or `cron`; default null */
            every_s?: number | null;
            /** @description IANA zone of `cron`, of `daily` and of placeholders; default: TIMEZONE */
            timezone?: string;
            /** @description the task of each run, as POST /tasks takes it. In `goal`, in the values of `metadata` and in the texts of `input`, `{{scheduled_at}}`, `{{scheduled_date}}`, `{{scheduled_time}}` and `{{schedule}}` are filled in */
            task: components["schemas"]["ScheduledTask"];
            /**
             * @description at a tick while an earlier run is open: `skip` it, let it wait (`queue`, at most 10), or cancel the earlier run (`replace`); default "skip"
             * @enum {string}
             */
            overlap?: "skip" | "queue" | "replace";
            /**
             * @description ticks more than five minutes ago, because the service was down: none of them is run, or `once` for all of them; default "skip"
             * @enum {string}
             */
            missed?: "skip" | "once";
            /** @description what all runs of a day in its zone may use together. A tick beyond it is skipped, and no run gets more than what is left; default {"tokens":null,"cost_usd":null} */
            daily?: {
                /** @description default null */
                tokens?: number | null;
                /** @description USD as a decimal string, such as "2.50"; default null */
                cost_usd?: string | null;
            };
            /** @description left out: as it was; a new one is not paused */
            paused?: boolean;
        };
        ScheduledTask: {
            /** @description what is to be done, in English or Chinese. It is needed, unless `agent` has one */
            goal?: string;
            /**
             * @description default "plan_execute"
             * @enum {string}
             */
            mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
            /** @description what the model has to keep to in every phase: role, language, tone, what to leave alone. It stands in the fixed part of each prompt, and changes nothing of how the mode works; null: none */
            instructions?: string | null;
            /** @description JSON Schema of `result.data`, an object; at most 16 KB, references within it only. The task ends with one call that gives the data; null: the result is text */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            tools?: components["schemas"]["Tools"];
            settings?: components["schemas"]["SettingsInput"];
            /**
             * @description language of prompts and texts; by the script of the goal when left out
             * @enum {string}
             */
            locale?: "en" | "zh";
            /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
            timezone?: string;
            /** @description up to 16 labels of your own, 4 KB in all */
            metadata?: {
                [key: string]: string;
            };
            /** @description what you call the task; nothing is decided by it */
            title?: string;
            /**
             * @description `manual`: each task is planned, and then waits for requests; default "background"
             * @enum {string}
             */
            drive?: "manual" | "background";
            /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
            callback_url?: string;
            /** @description seconds the task is kept after it has ended; default 2592000 */
            idle_ttl_s?: number;
            /** @description the agent by which the task is made, `name` for its newest version or `name@version`. The task keeps that version. `mode`, `instructions`, `tools` and `output_schema` are then those of the agent */
            agent?: string;
            /** @description what the agent works on, an object that is valid by its `input_schema`; at most 16384 bytes. It fills in the `{{name}}` of the agent's goal, and stands below the goal where it fills in nothing */
            input?: {
                [key: string]: unknown;
            };
        };
        PauseSchedule: Record<string, never>;
        ResumeSchedule: Record<string, never>;
        RunSchedule: Record<string, never>;
        CreateTenant: {
            name: string;
            /** @description left out or null: that of the deployment; default {} */
            limits?: {
                /** @description requests per minute */
                rate_per_minute?: number | null;
                /** @description tasks that have not ended */
                open_tasks?: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day?: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month?: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day?: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month?: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models?: string[] | null;
                /** @description bytes of all that is stored */
                stored_bytes?: number | null;
                /** @description the only hosts that tools and callbacks may reach: `host`, `host:port` or `*.domain` */
                hosts?: string[] | null;
            };
        };
        ChangeTenant: {
            /** @description true: its keys and links open nothing, and none of its tasks is driven */
            disabled?: boolean;
            /** @description those that change; null: that of the deployment again */
            limits?: {
                /** @description requests per minute */
                rate_per_minute?: number | null;
                /** @description tasks that have not ended */
                open_tasks?: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day?: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month?: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day?: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month?: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models?: string[] | null;
                /** @description bytes of all that is stored */
                stored_bytes?: number | null;
                /** @description the only hosts that tools and callbacks may reach: `host`, `host:port` or `*.domain` */
                hosts?: string[] | null;
            };
        };
        CreateKey: {
            /** @description whose key it is; default: the tenant of the key that makes it */
            tenant?: string;
            /** @description what people call it; default null */
            name?: string | null;
            /** @description what it may do; default ["tasks:read","tasks:write","delegations"] */
            scopes?: ("tasks:read" | "tasks:write" | "delegations" | "admin")[];
            /** @description left out: that of the key that makes it, or none; null: that of the tenant. With the scope admin only `models`; default {} */
            limits?: {
                /** @description requests per minute */
                rate_per_minute?: number | null;
                /** @description tasks that have not ended */
                open_tasks?: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day?: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month?: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day?: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month?: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models?: string[] | null;
            };
            /**
             * @description RFC 3339, in the future; null: never
             * @example 2027-01-01T00:00:00Z
             */
            expires_at?: string | null;
            /** @description the same, in seconds from now */
            expires_in_s?: number;
        };
        RotateKey: {
            /** @description seconds for which the other key still works; 0: it ends at once; default 86400 */
            grace_s?: number;
            /**
             * @description RFC 3339, in the future; null: never
             * @example 2027-01-01T00:00:00Z
             */
            expires_at?: string | null;
            /** @description the same, in seconds from now */
            expires_in_s?: number;
        };
        AnswerQuestion: {
            /** @description the answer */
            input: string;
        };
        RunCommand: {
            /** @description a slash command such as /todo list; see /help */
            command: string;
            /** @description the task that the cancel phrase cancels */
            task_id?: string;
        };
        PreviewTools: {
            tools: components["schemas"]["Tools"];
            /**
             * @description language of texts; by `Accept-Language` when left out, else `en`
             * @enum {string}
             */
            locale?: "en" | "zh";
        };
        CallTool: {
            tools: components["schemas"]["Tools"];
            /** @description one of the tools that the preview lists */
            name: string;
            /** @description by the `parameters` of the tool; default {} */
            arguments?: {
                [key: string]: unknown;
            };
            /**
             * @description language of texts; by `Accept-Language` when left out, else `en`
             * @enum {string}
             */
            locale?: "en" | "zh";
        };
        /** @description tools of your own, beside those of the mode: called over HTTP, or listed by a source (32 KB in all) */
        Tools: (components["schemas"]["SignedTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTools"] | components["schemas"]["OpenApiTools"])[];
        SignedTool: {
            /** @description as models call it, told apart without case; one with the name of a built-in tool replaces that */
            name: string;
            /** @description what the model is told about it */
            description?: string;
            /** @description JSON Schema of its arguments, an object; references within it only. Without it any object is taken */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description https, and a host that the internet knows; it is sent `{task_id, call_id, tool, arguments}`, signed */
            url: string;
            /** @description whether a call whose worker is lost may be repeated under its `Idempotency-Key`; default false */
            idempotent?: boolean;
        };
        HttpTool: {
            /** @description a plain HTTP request to an API that knows nothing of tasks */
            http: {
                /** @description default: of method and path, such as `get_orders` */
                name?: string;
                /** @description what the model is told about it; default: method and path */
                description?: string;
                /**
                 * @description default "GET"
                 * @enum {string}
                 */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description https, and a host that the internet knows; `{name}` in path and query stands for an argument */
                url: string;
                /** @description pairs for the query; a text may end in `secret:name` */
                query?: {
                    [key: string]: string;
                };
                /** @description a text may have arguments, and may end in `secret:name` */
                headers?: {
                    [key: string]: string;
                };
                body?: {
                    /** @description the content type; default "application/json" */
                    type?: string;
                    /** @description a JSON value, in which `{name}` alone stands for a whole argument */
                    template: unknown;
                };
                /** @description the part of a JSON answer that the model is shown, such as `data.items` */
                answer?: string;
                /** @description JSON Schema of its arguments; default: all that the templates name, each a required string */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @description whether a call whose worker is lost may be repeated; GET and HEAD always may; default false */
                idempotent?: boolean;
            };
        };
        McpTools: {
            /** @description address of an MCP server that speaks Streamable HTTP; https, and a host that the internet knows */
            mcp: string;
            /** @description stands before the names of its tools, as in `tickets.create`; default: of the host or the file */
            name?: string;
            /** @description sent with every request to the server; a value may end in `secret:name`, as `Bearer secret:tickets` does */
            headers?: {
                [key: string]: string;
            };
            /** @description sent as `Authorization: Bearer …`; best `secret:name` */
            token?: string;
            /** @description OAuth client credentials; the authorization server is found from the metadata of the server */
            oauth?: {
                /** @description as the authorization server knows the service */
                client_id: string;
                /** @description `secret:name`, which is sent only to a token endpoint at a host of the secret */
                client_secret: string;
                /** @description what the token is asked for; without it, what the server names */
                scope?: string;
            };
            /** @description the only tools that are taken, as the server names them; without it all */
            tools?: string[];
            /** @description whether the task goes on without its tools when they cannot be listed; default false */
            optional?: boolean;
            /**
             * @description what becomes of a call that was lost with its worker and may not be repeated: a person is asked, or the model is told; default "ask"
             * @enum {string}
             */
            on_lost?: "ask" | "skip";
        };
        OpenApiTools: {
            /** @description where an OpenAPI document is; its operations become tools */
            openapi: string | {
                url: string;
            } | {
                file: string;
            };
            /** @description stands before the names of its tools, as in `tickets.create`; default: of the host or the file */
            name?: string;
            /** @description the only operations that become tools: by `operationId`, or as `GET /orders/{id}`; default: all, if there are at most 64 */
            operations?: string[];
            /** @description only operations that have one of these tags */
            tags?: string[];
            /** @description only operations of these methods */
            methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[];
            /** @description the base address, in place of that of the document; headers and keys that are spelled out go only there or to the host of the document */
            server?: string;
            /** @description by the name of a security scheme of the document: a key, a token or `user:password`; a text may end in `secret:name` */
            security?: {
                [key: string]: string;
            };
            /** @description sent with each request, that for the document too; a text may end in `secret:name` */
            headers?: {
                [key: string]: string;
            };
            /** @description whether the task goes on without these tools if they cannot be listed; default false */
            optional?: boolean;
        };
        ClaimDelegation: {
            /** @description one line, a name of your own: the same one again renews its lease */
            worker: string;
            /** @description seconds after which somebody else may claim it; claim it again to have it longer; default 300 */
            lease_s?: number;
        };
        SendReport: {
            /** @description SUCCESS, FAILED, PARTIAL_SUCCESS, UNKNOWN, in any case; left out: UNKNOWN */
            status?: string;
            /** @description of the session it was done in, for commands that continue it */
            session_id?: string | null;
            /** @description the `id` of the command file; refused when it is of another command */
            command_id?: string | null;
            results?: string | null;
            pitfalls?: string | null;
            next_steps?: string | null;
            /** @description the whole report; may be left out where another part says something */
            text?: string;
            /** @description what was used of the budget of the command */
            spent?: {
                tokens?: number;
                /** @description USD as a decimal string such as "0.50" */
                cost_usd?: string;
                seconds?: number;
            };
        };
        ExchangeCode: {
            /** @description `code` of the address to which the issuer has sent the person back */
            code: string;
            /** @description the text whose SHA-256 was the `code_challenge` */
            code_verifier: string;
            /** @description the `nonce` of the sign-in */
            nonce: string;
            /** @description the `redirect_uri` of the sign-in */
            redirect_uri: string;
        };
        RefreshLogin: {
            /** @description as the sign-in, or the refresh before, has given it */
            refresh_token: string;
        };
        Task: {
            id: string;
            mode: components["schemas"]["Mode"];
            goal: string;
            /** @enum {string} */
            locale: "en" | "zh";
            timezone: string;
            status: components["schemas"]["Status"];
            stop_reason: components["schemas"]["StopReason"] | null;
            budget: components["schemas"]["Budget"];
            step_count: number;
            counters: components["schemas"]["Counters"];
            pending: components["schemas"]["Pending"] | null;
            result: {
                text: string;
                artifacts: components["schemas"]["Artifact"][];
                /** @description whether the goal was reached: all of it, a part of it, or nothing of it; null: the task has not ended */
                outcome: components["schemas"]["Outcome"] | null;
                /** @description what was not reached, and why; empty when the outcome is done */
                unmet: {
                    /** @description the title of an item, or the goal */
                    item: string;
                    reason: string;
                }[];
                /** @description of a task with an `output_schema`: the result as JSON that is valid by it; null: not yet; absent: no schema */
                data?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            error: {
                code: components["schemas"]["FailureCode"];
                detail: string;
            } | null;
            /** @description an earlier /step is 200 with advanced: false and no call */
            retry_after_ms: number | null;
            settings: components["schemas"]["Settings"];
            tools: string[];
            /** @enum {string} */
            drive: "manual" | "background";
            callback_url: string | null;
            metadata: {
                [key: string]: string;
            };
            /** @description what its client calls it */
            title: string | null;
            /** @description the agent that it was made by; null: none */
            agent: {
                name: string;
                version: number;
            } | null;
            /** @description the task whose past this one has; null: it is no fork */
            forked_from: {
                id: string;
                /** @description the last row that was copied */
                at: number;
            } | null;
            version: number;
            created_at: string;
            updated_at: string;
            /** @description as the task was given them; absent: none */
            instructions?: string;
            /** @description as the task was given it; absent: `result` has no `data` */
            output_schema?: {
                [key: string]: unknown;
            };
            /** @description what its agent was given; absent: nothing */
            input?: {
                [key: string]: unknown;
            };
            plan: components["schemas"]["Plan"];
            last_thought: components["schemas"]["Thought"] | null;
            handover: components["schemas"]["Handover"] | null;
            /** @description what this very request did; null on GET */
            slice: components["schemas"]["Slice"] | null;
            /** @description only when the input was a slash command: what it answered; the task is as it was */
            command?: components["schemas"]["CommandResult"];
        };
        DryRun: {
            mode: components["schemas"]["Mode"];
            goal: string;
            /** @enum {string} */
            locale: "en" | "zh";
            timezone: string;
            status: components["schemas"]["Status"];
            stop_reason: components["schemas"]["StopReason"] | null;
            budget: components["schemas"]["Budget"];
            step_count: number;
            counters: components["schemas"]["Counters"];
            pending: components["schemas"]["Pending"] | null;
            result: {
                text: string;
                artifacts: components["schemas"]["Artifact"][];
                /** @description whether the goal was reached: all of it, a part of it, or nothing of it; null: the task has not ended */
                outcome: components["schemas"]["Outcome"] | null;
                /** @description what was not reached, and why; empty when the outcome is done */
                unmet: {
                    /** @description the title of an item, or the goal */
                    item: string;
                    reason: string;
                }[];
                /** @description of a task with an `output_schema`: the result as JSON that is valid by it; null: not yet; absent: no schema */
                data?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            error: {
                code: components["schemas"]["FailureCode"];
                detail: string;
            } | null;
            /** @description an earlier /step is 200 with advanced: false and no call */
            retry_after_ms: number | null;
            settings: components["schemas"]["Settings"];
            tools: string[];
            /** @enum {string} */
            drive: "manual" | "background";
            callback_url: string | null;
            metadata: {
                [key: string]: string;
            };
            /** @description what its client calls it */
            title: string | null;
            /** @description the agent that it was made by; null: none */
            agent: {
                name: string;
                version: number;
            } | null;
            /** @description the task whose past this one has; null: it is no fork */
            forked_from: {
                id: string;
                /** @description the last row that was copied */
                at: number;
            } | null;
            version: number;
            created_at: string;
            updated_at: string;
            /** @description as the task was given them; absent: none */
            instructions?: string;
            /** @description as the task was given it; absent: `result` has no `data` */
            output_schema?: {
                [key: string]: unknown;
            };
            /** @description what its agent was given; absent: nothing */
            input?: {
                [key: string]: unknown;
            };
            plan: components["schemas"]["Plan"];
            last_thought: components["schemas"]["Thought"] | null;
            handover: components["schemas"]["Handover"] | null;
            /** @description what this very request did; null on GET */
            slice: components["schemas"]["Slice"] | null;
            id: null;
            forecast: components["schemas"]["Forecast"];
        };
        /** @enum {string} */
        Mode: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
        /** @enum {string} */
        Status: "queued" | "running" | "input_required" | "waiting_external" | "paused" | "completed" | "failed" | "canceled";
        /** @enum {string} */
        StopReason: "question" | "file" | "approval" | "report" | "tool" | "paused_by_user" | "held" | "iteration_limit" | "budget_exhausted:steps" | "budget_exhausted:tokens" | "budget_exhausted:cost_usd" | "budget_exhausted:seconds" | "budget_exhausted:tenant" | "model_unavailable" | "tools_unavailable" | "model_not_allowed" | "question_expired" | "result_unmet" | "storage_full" | "done" | "canceled" | "aborted" | "contract_failures" | "step_failed" | "loop_detected";
        /** @enum {string} */
        PauseReason: "paused_by_user" | "held" | "iteration_limit" | "budget_exhausted:steps" | "budget_exhausted:tokens" | "budget_exhausted:cost_usd" | "budget_exhausted:seconds" | "budget_exhausted:tenant" | "model_unavailable" | "tools_unavailable" | "model_not_allowed" | "question_expired" | "result_unmet" | "storage_full";
        /** @enum {string} */
        FailureCode: "aborted" | "contract_failures" | "step_failed" | "loop_detected" | "iteration_limit" | "budget_exhausted:steps" | "question_expired";
        /** @enum {string} */
        Outcome: "done" | "partial" | "not_done";
        /** @enum {string} */
        ItemStatus: "pending" | "running" | "completed" | "failed" | "skipped";
        /** @enum {string} */
        ThoughtPhase: "thought" | "turn" | "think" | "step_decision" | "evaluate";
        /** @enum {string} */
        ThoughtDecision: "continue" | "ask_user" | "done" | "answer" | "think" | "next" | "retry" | "replan" | "ask" | "abort";
        /** @enum {string} */
        Guard: "repeated_action" | "same_result" | "repeated_question" | "repeated_command" | "max_clarifications" | "max_adjustments" | "max_actions_per_step" | "max_retries_per_step" | "max_replans" | "step_timeout" | "task_turns" | "fallback_advance" | "plan_bounds" | "plan_full" | "transcript_compacted" | "model_fallback" | "model_not_allowed" | "aside_refused";
        /** @enum {string} */
        EffectOutcome: "ok" | "contract_error" | "model_error" | "tool_error" | "orphaned" | "outcome_unknown" | "abandoned";
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed" | "gone";
        /** @enum {string} */
        DelegationStatus: "pending" | "claimed" | "reported" | "expired" | "canceled";
        /** @enum {string} */
        ReportStatus: "SUCCESS" | "FAILED" | "PARTIAL_SUCCESS" | "UNKNOWN";
        /** @enum {string} */
        CommandType: "new" | "continue" | "end";
        /** @enum {string} */
        ProblemCode: "invalid_url" | "invalid_json" | "unreadable_body" | "unauthorized" | "no_tenant" | "worker_key" | "insufficient_scope" | "operator_only" | "grant_exceeded" | "tenant_disabled" | "not_found" | "link_not_found" | "task_not_found" | "file_not_found" | "delivery_not_found" | "delegation_not_found" | "secret_not_found" | "agent_not_found" | "receiver_not_found" | "schedule_not_found" | "tenant_not_found" | "key_not_found" | "method_not_allowed" | "task_busy" | "lease_lost" | "request_in_progress" | "task_ended" | "task_not_ended" | "question_settled" | "plan_not_editable" | "file_reserved" | "too_many_files" | "too_many_secrets" | "usage_off" | "traces_off" | "agent_in_use" | "too_many_agents" | "too_many_schedules" | "delegation_claimed" | "delegation_expired" | "delegation_canceled" | "already_reported" | "wrong_command" | "tenant_exists" | "tenant_enabled" | "too_many_tenants" | "too_many_keys" | "key_ended" | "expired" | "precondition_failed" | "agent_changed" | "payload_too_large" | "file_too_large" | "unsupported_media_type" | "validation_failed" | "idempotency_key_reused" | "model_not_budgetable" | "llm_not_configured" | "precondition_required" | "rate_limited" | "quota_exceeded" | "too_many_watchers" | "tenant_budget_exceeded" | "schedule_budget_exceeded" | "internal_error" | "state_unreadable" | "not_configured" | "unavailable" | "issuer_unreachable" | "shutting_down" | "storage_full";
        Forecast: {
            worst_case: {
                steps: number;
                /** @description by the limits: every call at its longest, or max_tokens */
                tokens: number;
                /** @description null: a model without a known price */
                cost_usd: string | null;
                seconds: number;
            };
            /** @description null while there are fewer than ten finished tasks */
            expected: {
                steps: {
                    low: number;
                    high: number;
                };
                tokens: {
                    low: number;
                    high: number;
                };
                cost_usd: {
                    low: string;
                    high: string;
                };
                seconds: {
                    low: number;
                    high: number;
                };
                /** @description finished tasks this is drawn from */
                tasks: number;
                /** @description mean relative error of the same estimate of steps on those tasks */
                past_error: number;
            } | null;
        };
        TaskEntry: {
            id: string;
            mode: components["schemas"]["Mode"];
            goal: string;
            /** @enum {string} */
            locale: "en" | "zh";
            timezone: string;
            status: components["schemas"]["Status"];
            stop_reason: components["schemas"]["StopReason"] | null;
            budget: components["schemas"]["Budget"];
            step_count: number;
            counters: components["schemas"]["Counters"];
            pending: components["schemas"]["Pending"] | null;
            result: {
                text: string;
                artifacts: components["schemas"]["Artifact"][];
                /** @description whether the goal was reached: all of it, a part of it, or nothing of it; null: the task has not ended */
                outcome: components["schemas"]["Outcome"] | null;
                /** @description what was not reached, and why; empty when the outcome is done */
                unmet: {
                    /** @description the title of an item, or the goal */
                    item: string;
                    reason: string;
                }[];
                /** @description of a task with an `output_schema`: the result as JSON that is valid by it; null: not yet; absent: no schema */
                data?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            error: {
                code: components["schemas"]["FailureCode"];
                detail: string;
            } | null;
            /** @description an earlier /step is 200 with advanced: false and no call */
            retry_after_ms: number | null;
            settings: components["schemas"]["Settings"];
            tools: string[];
            /** @enum {string} */
            drive: "manual" | "background";
            callback_url: string | null;
            metadata: {
                [key: string]: string;
            };
            /** @description what its client calls it */
            title: string | null;
            /** @description the agent that it was made by; null: none */
            agent: {
                name: string;
                version: number;
            } | null;
            /** @description the task whose past this one has; null: it is no fork */
            forked_from: {
                id: string;
                /** @description the last row that was copied */
                at: number;
            } | null;
            version: number;
            created_at: string;
            updated_at: string;
            plan: {
                revision: number;
                /** @description 0-based; equals items.length when all are done */
                cursor: number;
                /** @description what made this list */
                source: string;
                /** @description how many items have ended in all */
                finished_count: number;
                /** @description of a session: of its latest run that made a plan */
                id?: string;
                /** @description of a session: what that run was asked for */
                goal?: string;
                /**
                 * @description of a session
                 * @enum {string}
                 */
                status?: "running" | "paused" | "completed" | "failed";
                /** @description of a session: replies with tool calls of this plan */
                iteration_count?: number;
            };
            /** @description when the task was so: a list may be some seconds behind its tasks */
            as_of: string;
        };
        Settings: {
            /** @description of a task in mode `plan_execute`, `dynamic`, `orchestrator`; of any task with `include=settings` */
            max_steps?: number;
            /** @description of a task in mode `session`, `autonomous`; of any task with `include=settings` */
            max_iterations?: number;
            max_tokens: number | null;
            max_cost_usd: string | null;
            max_seconds: number | null;
            /** @description of a task in mode `plan_execute`, `dynamic`, `orchestrator`; of any task with `include=settings` */
            plan_retries?: number;
            strict_replies: boolean;
            /**
             * @description of a task in mode `plan_execute`, `dynamic`; of any task with `include=settings`
             * @enum {string}
             */
            calls?: "exact" | "few";
            failure_limit: number;
            max_clarifications: number;
            observation_char_limit: number;
            /** @description of a task in mode `plan_execute`, `dynamic`; of any task with `include=settings` */
            observation_history_limit?: number;
            cancel_phrase: string;
            continue_grants: boolean;
            model: string | null;
            models: {
                plan?: string;
                thought?: string;
                replan?: string;
                turn?: string;
                think?: string;
                step_decision?: string;
                action?: string;
                evaluate?: string;
                summary?: string;
                result?: string;
            };
            temperature: number;
            reasoning_effort: ("none" | "minimal" | "low" | "medium" | "high") | null;
            phases: {
                [key: string]: {
                    temperature?: number;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                    max_output_tokens?: number;
                };
            };
            model_timeout_s: number;
            model_silence_s: number;
            max_output_tokens: number;
            question_ttl_s: number;
            /** @enum {string} */
            on_question_expired: "pause" | "fail";
            approve: ("none" | "plan" | "actions") | {
                tools: string[];
            };
            /** @description of a task in mode `session`; of any task with `include=settings` */
            auto_continue?: boolean;
            /**
             * @description of a task in mode `autonomous`; of any task with `include=settings`
             * @enum {string}
             */
            agent_mode?: "autonomous" | "staged";
            dataset: string | null;
            /** @description of a task in mode `session`, `autonomous`; of any task with `include=settings` */
            transcript_token_limit?: number;
            /** @description of a task in mode `session`; of any task with `include=settings` */
            tool_boundary_hint?: boolean;
            /** @description of a task in mode `session`; of any task with `include=settings` */
            fallback_by_step_size?: boolean;
            /** @description of a task in mode `session`; of any task with `include=settings` */
            plan_templates?: {
                words: string[];
                steps: string[];
            }[];
            /** @description of a task in mode `dynamic`; of any task with `include=settings` */
            max_actions_per_step?: number;
            /** @description of a task in mode `dynamic`; of any task with `include=settings` */
            repeat_action_limit?: number;
            /** @description of a task in mode `dynamic`; of any task with `include=settings` */
            step_timeout_s?: number;
            /** @description of a task in mode `dynamic`; of any task with `include=settings` */
            max_adjustments?: number;
            /** @description of a task in mode `dynamic`; of any task with `include=settings` */
            dynamic_planning?: boolean;
            /** @description of a task in mode `dynamic`; of any task with `include=settings` */
            merged_calls?: boolean;
            report_timeout_s: number;
            /** @description of a task in mode `orchestrator`; of any task with `include=settings` */
            worker_pool?: string | null;
            /** @description of a task in mode `orchestrator`; of any task with `include=settings` */
            max_retries_per_step?: number;
            /** @description of a task in mode `orchestrator`; of any task with `include=settings` */
            max_replans?: number;
            /** @description of a task in mode `orchestrator`; of any task with `include=settings` */
            command_budget?: {
                tokens?: number;
                cost_usd?: string;
                seconds?: number;
            } | null;
            search_top_k: number;
            respect_robots: boolean;
            schedule_window_days: number;
            conflict_preview_days: number;
        };
        Plan: {
            revision: number;
            /** @description 0-based; equals items.length when all are done */
            cursor: number;
            /** @description what made this list */
            source: string;
            items: components["schemas"]["PlanItem"][];
            /** @description every item that has ended, also one that has left `items`, in the order of their ends; the newest 100 */
            finished: {
                id: string;
                title: string;
                /** @enum {string} */
                status: "completed" | "failed" | "skipped";
                /** @description what came of it, cut to 1,000 characters */
                result: string | null;
            }[];
            /** @description how many items have ended in all */
            finished_count: number;
            /** @description of a session: of its latest run that made a plan */
            id?: string;
            /** @description of a session: what that run was asked for */
            goal?: string;
            /**
             * @description of a session
             * @enum {string}
             */
            status?: "running" | "paused" | "completed" | "failed";
            /** @description of a session: replies with tool calls of this plan */
            iteration_count?: number;
        };
        PlanItem: {
            id: string;
            title: string;
            description: string;
            /** @description of `orchestrator` */
            constraints?: string | null;
            expected_output: string | null;
            status: components["schemas"]["ItemStatus"];
            result: string | null;
            progress: {
                current: number;
                total: number;
            } | null;
        };
        Thought: {
            phase: components["schemas"]["ThoughtPhase"];
            decision: components["schemas"]["ThoughtDecision"];
            text: string;
            at: string;
        };
        Budget: {
            /** @enum {string} */
            unit: "steps" | "iterations" | "actions" | "commands";
            used: number;
            max: number;
            remaining: number;
            tokens: {
                used: number;
                max: number | null;
                /** @description the used tokens that endpoints have reported, each in one kind */
                kinds: {
                    input: number;
                    cache_read: number;
                    cache_write: number;
                    image: number;
                    output: number;
                    reasoning: number;
                };
            };
            cost_usd: {
                used: string;
                max: string | null;
            };
            seconds: {
                used: number;
                max: number | null;
            };
        };
        Counters: {
            model_calls: number;
            actions: number;
            successful_actions: number;
            failed_actions: number;
            replans: number;
            iterations: number;
        };
        Pending: components["schemas"]["QuestionPending"] | components["schemas"]["FilePending"] | components["schemas"]["ApprovalPending"] | components["schemas"]["ReportPending"] | components["schemas"]["ToolPending"] | components["schemas"]["ResumePending"];
        Handover: {
            completed: string[];
            unfinished_reason: string;
            remaining: string[];
            next_steps: string[];
            text: string;
        };
        Slice: {
            advanced: boolean;
            rounds: number;
            events: components["schemas"]["Event"][];
            events_truncated?: boolean;
        };
        Event: components["schemas"]["TaskCreatedEvent"] | components["schemas"]["PlanCreatedEvent"] | components["schemas"]["ItemStartedEvent"] | components["schemas"]["ItemCompletedEvent"] | components["schemas"]["ItemFailedEvent"] | components["schemas"]["ThoughtDecidedEvent"] | components["schemas"]["LlmThinkingEvent"] | components["schemas"]["TasksUpdatedEvent"] | components["schemas"]["ActionStartedEvent"] | components["schemas"]["ActionWaitingEvent"] | components["schemas"]["ActionFinishedEvent"] | components["schemas"]["PlanReplannedEvent"] | components["schemas"]["PlanAdjustedEvent"] | components["schemas"]["PlanEditedEvent"] | components["schemas"]["CommandDispatchedEvent"] | components["schemas"]["ReportReceivedEvent"] | components["schemas"]["ClarificationRequestedEvent"] | components["schemas"]["ClarificationAnsweredEvent"] | components["schemas"]["FileRequestedEvent"] | components["schemas"]["FileArrivedEvent"] | components["schemas"]["ToolsListedEvent"] | components["schemas"]["ToolsUnavailableEvent"] | components["schemas"]["ContractFailedEvent"] | components["schemas"]["LoopGuardEvent"] | components["schemas"]["BudgetExhaustedEvent"] | components["schemas"]["BudgetAddedEvent"] | components["schemas"]["TaskChangedEvent"] | components["schemas"]["TaskPausedEvent"] | components["schemas"]["TaskResumedEvent"] | components["schemas"]["ReportGeneratedEvent"] | components["schemas"]["TaskCompletedEvent"] | components["schemas"]["TaskFailedEvent"] | components["schemas"]["TaskCanceledEvent"] | components["schemas"]["AgentStartedEvent"] | components["schemas"]["AgentCompletedEvent"] | components["schemas"]["AgentErrorEvent"];
        JournalEntry: {
            seq: number;
            /** @description call_model, run_tool, or the kind of the event: task_created, user_answered, … */
            kind: string;
            phase: string | null;
            counted: boolean;
            /** @description what became of the effect; null: there is none, or it is under way */
            outcome: components["schemas"]["EffectOutcome"] | null;
            tokens: {
                input: number;
                output: number;
                /** @description each token in one kind */
                kinds: {
                    input: number;
                    cache_read: number;
                    cache_write: number;
                    image: number;
                    output: number;
                    reasoning: number;
                };
            } | null;
            /** @description what the budget was charged: the usage, or the reservation where it is unknown */
            charged_tokens: number | null;
            cost_usd: string | null;
            price_version: string | null;
            /** @description the endpoint reported more than was reserved */
            over_reserve: boolean;
            model: string | null;
            /** @description the endpoint of MODELS that was asked; null: the default one without another name, or no call */
            endpoint: string | null;
            attempt: number | null;
            started_at: string;
            finished_at: string | null;
            duration_ms: number | null;
            request: unknown;
            request_exact: boolean | null;
            reply: unknown;
        };
        StoredRow: {
            seq: number;
            kind: string;
            /** @description when the row began, ms since the epoch */
            at: number;
            slice: string | null;
            lease: string | null;
            key: string | null;
            effect: string | null;
            reserved: string | null;
            event: string | null;
            head: string | null;
        };
        Replay: {
            equal: boolean;
            /** @description rows that were compared: outcomes, and what people and time said */
            events: number;
            first_difference: components["schemas"]["Difference"] | null;
        };
        Difference: {
            /** @description the row */
            seq: number;
            /** @description where in the row, as a JSON pointer */
            path: string;
            /** @description what the state machine makes of the rows before and the outcome of this one */
            expected: unknown;
            /** @description what is stored; a long value is cut */
            found: unknown;
        };
        File: {
            name: string;
            content_type: string;
            /** @description bytes */
            size: number;
            /** @description where it can be fetched for some days without a key */
            url: string;
            /** @description when it was put or written last */
            created_at: string;
        };
        Artifact: {
            name: string;
            content_type: string;
            /** @description bytes */
            size: number;
            /** @description where it can be fetched for some days without a key */
            url: string;
        };
        Delivery: {
            /** @description the `webhook-id` of every try */
            id: string;
            task_id: string;
            /** @description `task.` and the status that is told */
            type: string;
            /** @description failed: given up; gone: the receiver answered 410; pending, delivered: what became of it when it was sent again */
            status: components["schemas"]["DeliveryStatus"];
            /** @description tries since it was first sent, or sent again */
            attempts: number;
            /** @description why the latest try that failed did */
            detail: string | null;
            /** @description when the status changed */
            created_at: string;
            updated_at: string;
        };
        WebhookTest: {
            /** @description the `webhook-id` that was sent */
            id: string;
            /** @description whether a real delivery would have been taken: any 2xx */
            ok: boolean;
            /** @description the HTTP status; null: nothing answered */
            status: number | null;
            /** @description why it was not taken; null: it was */
            detail: string | null;
            duration_ms: number;
            /** @description what was answered, at most 1000 characters */
            body: string;
            /** @description whether more was answered */
            body_cut: boolean;
        };
        Secret: {
            name: string;
            /** @description where its value may be sent */
            hosts: string[];
            created_at: string;
            /** @description when it was last put */
            updated_at: string;
            /** @description to the minute; null: never */
            last_used_at: string | null;
        };
        Tenant: {
            name: string;
            /** @description its keys and links open nothing */
            disabled: boolean;
            disabled_at: string | null;
            created_at: string;
            /** @description null: that of the deployment */
            limits: {
                /** @description requests per minute */
                rate_per_minute: number | null;
                /** @description tasks that have not ended */
                open_tasks: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models: string[] | null;
                /** @description bytes of all that is stored */
                stored_bytes: number | null;
                /** @description the only hosts that tools and callbacks may reach: `host`, `host:port` or `*.domain` */
                hosts: string[] | null;
            };
        };
        Key: {
            /** @description names the key in paths, totals and logs */
            id: string;
            tenant: string;
            name: string | null;
            /** @description how the key begins */
            prefix: string;
            scopes: ("tasks:read" | "tasks:write" | "delegations" | "admin")[];
            /** @description null: that of the tenant */
            limits: {
                /** @description requests per minute */
                rate_per_minute: number | null;
                /** @description tasks that have not ended */
                open_tasks: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models: string[] | null;
            };
            /** @enum {string} */
            state: "live" | "expired" | "revoked";
            created_at: string;
            /** @description the key or login that has made it */
            created_by: string;
            /** @description null: never */
            expires_at: string | null;
            /** @description to some minutes; null: never */
            last_used_at: string | null;
            revoked_at: string | null;
            /** @description the key whose place it takes */
            replaces: string | null;
        };
        NewKey: {
            /** @description names the key in paths, totals and logs */
            id: string;
            tenant: string;
            name: string | null;
            /** @description how the key begins */
            prefix: string;
            scopes: ("tasks:read" | "tasks:write" | "delegations" | "admin")[];
            /** @description null: that of the tenant */
            limits: {
                /** @description requests per minute */
                rate_per_minute: number | null;
                /** @description tasks that have not ended */
                open_tasks: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models: string[] | null;
            };
            /** @enum {string} */
            state: "live" | "expired" | "revoked";
            created_at: string;
            /** @description the key or login that has made it */
            created_by: string;
            /** @description null: never */
            expires_at: string | null;
            /** @description to some minutes; null: never */
            last_used_at: string | null;
            revoked_at: string | null;
            /** @description the key whose place it takes */
            replaces: string | null;
            /** @description the key itself, shown this once; null: an earlier request with this Idempotency-Key has made it */
            key: string | null;
        };
        RotatedKey: {
            /** @description names the key in paths, totals and logs */
            id: string;
            tenant: string;
            name: string | null;
            /** @description how the key begins */
            prefix: string;
            scopes: ("tasks:read" | "tasks:write" | "delegations" | "admin")[];
            /** @description null: that of the tenant */
            limits: {
                /** @description requests per minute */
                rate_per_minute: number | null;
                /** @description tasks that have not ended */
                open_tasks: number | null;
                /** @description tokens of a UTC day */
                tokens_per_day: number | null;
                /** @description tokens of a UTC month */
                tokens_per_month: number | null;
                /** @description money of a UTC day, in USD */
                cost_usd_per_day: string | null;
                /** @description money of a UTC month, in USD */
                cost_usd_per_month: string | null;
                /** @description the names of endpoints and models that tasks may name */
                models: string[] | null;
            };
            /** @enum {string} */
            state: "live" | "expired" | "revoked";
            created_at: string;
            /** @description the key or login that has made it */
            created_by: string;
            /** @description null: never */
            expires_at: string | null;
            /** @description to some minutes; null: never */
            last_used_at: string | null;
            revoked_at: string | null;
            /** @description the key whose place it takes */
            replaces: string | null;
            /** @description the key itself, shown this once; null: an earlier request with this Idempotency-Key has made it */
            key: string | null;
            /** @description the other key, until it expires */
            replaced: components["schemas"]["Key"];
        };
        AuditEntry: {
            seq: number;
            at: string;
            /** @description the X-Request-Id of the call */
            request_id: string;
            /** @description the key or login that called; `admin_key`: ADMIN_KEY */
            actor: string;
            /** @description null: an operator */
            actor_tenant: string | null;
            /** @description the operation, as this contract names it */
            action: string;
            /** @description whom it was about */
            tenant: string | null;
            key: string | null;
            /** @description `done`, `replayed`, or the code of the refusal */
            outcome: string;
            /** @description what was asked for, without secrets */
            details: {
                [key: string]: unknown;
            };
        };
        Deployment: {
            version: string;
            /** @description of what a task stores */
            schema_version: number;
            /** @enum {string} */
            environment: "production" | "development";
            /** @description the time of the service */
            at: string;
            bindings: components["schemas"]["Binding"][];
            /** @description null: there is none, or it does not say */
            queue: {
                /** @description messages that were not taken yet */
                waiting: number;
                /** @description when the oldest of them was sent */
                oldest_at: string | null;
            } | null;
            /** @description whether a workspace has fed the index database; null: there is none */
            index_fed: boolean | null;
            features: components["schemas"]["Feature"][];
            /** @description entries of TENANT_SHARDS with more than one shard; `*` is one of them */
            sharded_tenants: number;
            /** @description keys of API_KEYS with fewer than 24 characters */
            short_keys: number;
        };
        Binding: {
            /** @enum {string} */
            name: "TASKS" | "WORKSPACES" | "REGISTRY" | "METRICS" | "FILES" | "INDEX" | "JOBS" | "COMPUTE" | "ASSETS" | "AI" | "BROWSER" | "ANALYTICS" | "RATE_LIMITER";
            /**
             * @description `failing`: it is bound, and did not answer as it should
             * @enum {string}
             */
            state: "bound" | "absent" | "failing";
            /** @description how long the answer took; null: it was not asked, or gave none */
            answered_ms: number | null;
            /** @description why it is `failing`, without a text of anybody */
            problem: string | null;
        };
        Feature: {
            /** @enum {string} */
            name: "job_queue" | "files" | "compute" | "python" | "browser" | "index_database" | "tenant_shards" | "registry" | "logins" | "signed_callbacks" | "usage" | "spans" | "tenant_spans" | "metrics" | "platform_rate_limit" | "analytics" | "fixed_links";
            /** @description what it is, for people */
            text: string;
            on: boolean;
            /** @description the bindings and variables that it depends on; none: the Worker has it by itself */
            by: string[];
        };
        Usage: {
            tenant: string;
            /** @description the first day */
            from: string;
            /** @description the last day */
            to: string;
            data: {
                /** @description UTC day; only with `group_by=day` */
                day?: string;
                /** @description the name of the key that made the tasks; null: the service made them */
                key?: string | null;
                /** @description the model that answered; null: no model was called */
                model?: string | null;
                mode?: string;
                /** @description tasks that were made */
                tasks: number;
                /** @description calls to models, failed ones too */
                model_calls: number;
                /** @description calls of tools, failed ones too */
                tool_calls: number;
                /** @description steps that were counted, in the unit of the mode */
                steps: number;
                /** @description tokens that were charged */
                tokens: number;
                /** @description tokens of prompts, as endpoints report them */
                input_tokens: number;
                /** @description tokens of replies, as endpoints report them */
                output_tokens: number;
                /** @description those of `input_tokens` that the provider had in its cache */
                cached_tokens: number;
                /** @description USD as a decimal string */
                cost_usd: string;
                /** @description working time, rounded up */
                seconds: number;
            }[];
            total: {
                /** @description tasks that were made */
                tasks: number;
                /** @description calls to models, failed ones too */
                model_calls: number;
                /** @description calls of tools, failed ones too */
                tool_calls: number;
                /** @description steps that were counted, in the unit of the mode */
                steps: number;
                /** @description tokens that were charged */
                tokens: number;
                /** @description tokens of prompts, as endpoints report them */
                input_tokens: number;
                /** @description tokens of replies, as endpoints report them */
                output_tokens: number;
                /** @description those of `input_tokens` that the provider had in its cache */
                cached_tokens: number;
                /** @description USD as a decimal string */
                cost_usd: string;
                /** @description working time, rounded up */
                seconds: number;
            };
            /**
             * @description there are more sums than an answer may have; `total` lacks them
             * @constant
             */
            truncated?: true;
            /** @description when the sums were read; rows of the last seconds may be missing */
            as_of: string;
        };
        TraceReceiver: {
            /** @description the whole address that spans are posted to */
            endpoint: string;
            /** @enum {string} */
            protocol: "http/protobuf" | "http/json";
            /** @description as they were put: `Bearer secret:NAME` */
            headers: {
                [key: string]: string;
            };
            /** @description whether prompts and results are sent */
            capture_content: boolean;
            updated_at: string;
            /** @description when spans could not be sent last, and why; null: never since it was put */
            last_failure: {
                at: string;
                detail: string;
            } | null;
        };
        Agent: {
            name: string;
            /** @description of this definition; each one that differs gets the next number */
            version: number;
            /** @description the newest version */
            latest: number;
            /** @description names version and definition, for `If-Match` */
            etag: string;
            /** @description as it was sent */
            definition: {
                [key: string]: unknown;
            };
            /** @description when the first version was put */
            created_at: string;
            /** @description when this version was put */
            updated_at: string;
        };
        Schedule: {
            name: string;
            cron: string | null;
            every_s: number | null;
            timezone: string;
            /** @description the task of each run, as it was sent */
            task: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            overlap: "skip" | "queue" | "replace";
            /** @enum {string} */
            missed: "skip" | "once";
            /** @description what all runs of a day may use together; null: not bounded */
            daily: {
                tokens: number | null;
                cost_usd: string | null;
            };
            paused: boolean;
            /** @description the next five ticks; empty while it is paused, and after the last one */
            next: string[];
            /** @description ticks that wait for an earlier run (`overlap: queue`) */
            waiting: string[];
            last_run: components["schemas"]["ScheduleRun"] | null;
            /** @description as in RFC 3339 */
            created_at: string;
            /** @description when it was last put, paused or resumed */
            updated_at: string;
        };
        ScheduleRun: {
            /** @description counts the runs of a schedule; the newest are kept */
            seq: number;
            /** @description the tick, or the time of the request; of several missed ticks the last one */
            at: string;
            /** @enum {string} */
            trigger: "tick" | "request";
            /**
             * @description `pending`: its task is being made. `created`: it has a task. `skipped`, `refused`: see `reason`. `missed`: the service was down, or its clock jumped
             * @enum {string}
             */
            outcome: "pending" | "created" | "skipped" | "missed" | "refused";
            /** @description of `skipped`: `overlap` or `budget`; of `refused`: the code of the problem */
            reason: string | null;
            task_id: string | null;
            /** @description how many ticks were missed; 1 for every other run */
            ticks: number;
            /** @description the first of these ticks */
            first_at: string;
            /** @description when it was decided */
            noted_at: string;
        };
        CommandResult: {
            /** @enum {string} */
            kind: "help" | "view_names" | "todo_added" | "todo_list" | "todo_search" | "todo_detail" | "todo_updated" | "todo_done" | "deleted" | "schedule_added" | "schedule_list" | "schedule_view" | "schedule_detail" | "schedule_updated" | "repeat_toggled" | "usage_error" | "unknown_command" | "not_found" | "empty_result" | "conflict" | "remind_requires_due" | "no_repeat_rule" | "canceled" | "no_active_task" | "llm_not_configured" | "empty_input";
            ok: boolean;
            text: string;
            rows: {
                [key: string]: string | number | null;
            }[];
            data: {
                [key: string]: unknown;
            };
        };
        RecordedAnswer: {
            /** @description the answer as it stands: a choice as it was offered */
            recorded: string;
        };
        Delegation: {
            id: string;
            task_id: string;
            /** @description the step; null: of no step, an `end` */
            item_id: string | null;
            /** @description the `id` of its command file */
            command_id: string;
            command_type: components["schemas"]["CommandType"];
            /** @description of the session to work in; `auto`: one that the worker begins */
            session_id: string;
            status: components["schemas"]["DelegationStatus"];
            /** @description until when its report is waited for */
            deadline: string;
            created_at: string;
            /** @description the pool of workers that it is for; null: the default pool */
            pool: string | null;
            /** @description null before there is one; in lists its text is cut to 2000 characters */
            report: components["schemas"]["Report"] | null;
            /** @description who works on it, as long as the lease lasts */
            claim: {
                worker: string;
                expires_at: string;
            } | null;
            /** @description what the worker may spend of the budget of the task; null: nothing is said of it */
            budget: {
                tokens: number | null;
                cost_usd: string | null;
                seconds: number | null;
            } | null;
            /** @description where it can be reported without a key; null in lists, and when it can be reported no more */
            report_url: string | null;
        };
        ReportedDelegation: {
            id: string;
            /** @description the `id` of its command file */
            command_id: string;
            command_type: components["schemas"]["CommandType"];
            /** @description of the session to work in; `auto`: one that the worker begins */
            session_id: string;
            status: components["schemas"]["DelegationStatus"];
            /** @description until when its report is waited for */
            deadline: string;
            created_at: string;
            /** @description null before there is one; in lists its text is cut to 2000 characters */
            report: components["schemas"]["Report"] | null;
            /** @description what the worker may spend of the budget of the task; null: nothing is said of it */
            budget: {
                tokens: number | null;
                cost_usd: string | null;
                seconds: number | null;
            } | null;
            /** @description where it can be reported without a key; null in lists, and when it can be reported no more */
            report_url: string | null;
        };
        Report: {
            status: components["schemas"]["ReportStatus"];
            session_id: string | null;
            results: string | null;
            pitfalls: string | null;
            next_steps: string | null;
            text: string;
        };
        DelegationPage: {
            data: components["schemas"]["Delegation"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        Pool: {
            /** @description null: the default pool */
            name: string | null;
            /** @description delegations that nobody works on */
            pending: number;
            claimed: number;
            /** @description workers that wait for a delegation at this moment */
            waiting: number;
        };
        PoolPage: {
            data: components["schemas"]["Pool"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        TaskPage: {
            data: components["schemas"]["TaskEntry"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
            /** @description up to when this page is known to be complete: some seconds ago at most, as a rule now */
            as_of: string;
            /** @description tasks of this page that cannot be read, as far as they are known; `GET /tasks/{id}/export` gives what is stored of one */
            incomplete?: {
                id: string;
                mode: string;
                status: components["schemas"]["Status"];
                metadata: {
                    [key: string]: string;
                };
                created_at: string;
            }[];
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        JournalPage: {
            data: components["schemas"]["JournalEntry"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
            /** @description rows of this page that are damaged or missing, by `seq` */
            unreadable?: number[];
            /**
             * @description rows are damaged or missing; absent where this page is whole
             * @constant
             */
            incomplete?: true;
        };
        DeliveryPage: {
            data: components["schemas"]["Delivery"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        FilePage: {
            data: components["schemas"]["File"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        SecretPage: {
            data: components["schemas"]["Secret"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        TenantPage: {
            data: components["schemas"]["Tenant"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        KeyPage: {
            data: components["schemas"]["Key"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        AgentPage: {
            data: components["schemas"]["Agent"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        SchedulePage: {
            data: components["schemas"]["Schedule"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        ScheduleRunPage: {
            data: components["schemas"]["ScheduleRun"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
        };
        StoredPage: {
            data: components["schemas"]["StoredRow"][];
            has_more: boolean;
            /** @description `after` of the next page; null on the last */
            next_cursor: string | null;
            /** @description rows of this page that are damaged or missing, by `seq` */
            unreadable?: number[];
            /**
             * @description rows are damaged or missing; absent where this page is whole
             * @constant
             */
            incomplete?: true;
        };
        SignInMethods: {
            /** @description null: by a key only */
            login: ({
                /** @constant */
                kind: "oidc";
                issuer: string;
                client_id: string;
                /** @description what the console asks the issuer for */
                scope: string;
                /** @description `audience` of the request to the issuer; null: it needs none */
                audience: string | null;
                /** @description where the sign-in begins; null: the issuer cannot be reached now */
                authorization_endpoint: string | null;
            } | {
                /** @constant */
                kind: "cloudflare_access";
            }) | null;
        };
        LoginToken: {
            /** @description the token that this service accepts: the access token, or else the ID token */
            token: string;
            /** @description seconds from now */
            expires_in: number;
            /** @description null: the issuer gave none */
            refresh_token: string | null;
            tenant: string;
            scopes: ("tasks:read" | "tasks:write" | "delegations" | "admin")[];
            /** @description the name of the login, as tasks show it */
            key_name: string;
        };
        Health: {
            /** @constant */
            status: "ok";
            version: string;
            /** @description what answers a task that names no model; null: none is configured */
            model: {
                /** @description the name of its endpoint; `default` where none has a name */
                endpoint: string;
                /** @enum {string} */
                wire: "chat" | "responses" | "messages" | "workers_ai" | "built_in";
                /** @description as its endpoint calls it */
                model: string;
            } | null;
        };
        ModelList: {
            data: components["schemas"]["ModelEntry"][];
            /** @description whether a task may name any other model too, which the default endpoint is asked for */
            any_name: boolean;
        };
        Limits: {
            /** @description when it was looked up; a change of limits shows within a minute */
            as_of: string;
            tenant: {
                rate_per_minute: number;
                open_tasks: {
                    max: number;
                    used: number;
                    remaining: number;
                };
                stored_bytes: {
                    max: number;
                    used: number;
                    remaining: number;
                };
                tokens: {
                    /** @description of the UTC day; null: not bounded */
                    day: {
                        max: number;
                        /** @description spent, or reserved by a task that works */
                        used: number;
                        /** @description never below 0 */
                        remaining: number;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                    /** @description of the calendar month; null: not bounded */
                    month: {
                        max: number;
                        /** @description spent, or reserved by a task that works */
                        used: number;
                        /** @description never below 0 */
                        remaining: number;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                };
                cost_usd: {
                    /** @description of the UTC day; null: not bounded */
                    day: {
                        max: string;
                        /** @description spent, or reserved by a task that works */
                        used: string;
                        /** @description never below 0 */
                        remaining: string;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                    /** @description of the calendar month; null: not bounded */
                    month: {
                        max: string;
                        /** @description spent, or reserved by a task that works */
                        used: string;
                        /** @description never below 0 */
                        remaining: string;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                };
                /** @description the only models that tasks may name; null: all that GET /models lists */
                models: string[] | null;
                /** @description the only hosts that tools and callbacks may reach; null: as the service is configured */
                hosts: string[] | null;
            };
            /** @description the limits of the key that asks, which count beside those of the tenant; null: it is no key of the registry */
            key: {
                name: string;
                rate_per_minute: number | null;
                /** @description of the tasks that it has made */
                open_tasks: {
                    max: number;
                    used: number;
                    remaining: number;
                } | null;
                tokens: {
                    /** @description of the UTC day; null: not bounded */
                    day: {
                        max: number;
                        /** @description spent, or reserved by a task that works */
                        used: number;
                        /** @description never below 0 */
                        remaining: number;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                    /** @description of the calendar month; null: not bounded */
                    month: {
                        max: number;
                        /** @description spent, or reserved by a task that works */
                        used: number;
                        /** @description never below 0 */
                        remaining: number;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                };
                cost_usd: {
                    /** @description of the UTC day; null: not bounded */
                    day: {
                        max: string;
                        /** @description spent, or reserved by a task that works */
                        used: string;
                        /** @description never below 0 */
                        remaining: string;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                    /** @description of the calendar month; null: not bounded */
                    month: {
                        max: string;
                        /** @description spent, or reserved by a task that works */
                        used: string;
                        /** @description never below 0 */
                        remaining: string;
                        /** @description when it begins anew, RFC 3339 */
                        resets_at: string;
                    } | null;
                };
                /** @description the only models that tasks may name; null: all that GET /models lists */
                models: string[] | null;
            } | null;
        };
        ToolList: {
            data: {
                /** @description as prompts and approvals name it */
                name: string;
                /** @description what a model is told of it */
                description: string;
                /** @description the JSON Schema of its arguments */
                parameters: {
                    [key: string]: unknown;
                };
                /** @description the modes that offer it */
                modes: ("plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator")[];
                /** @description whether it only reads; null: it depends on its arguments */
                read_only: boolean | null;
            }[];
            /** @description the kinds of tools that a task may bring */
            sources: ("signed" | "http" | "mcp" | "openapi")[];
        };
        TaskTools: {
            data: components["schemas"]["ToolEntry"][];
            sources: components["schemas"]["SourceEntry"][];
        };
        ToolTrial: {
            ok: boolean;
            /** @description the result as a word for machines */
            code: string;
            /** @description as it would be stored for a model, 100,000 characters at most */
            text: string;
            /** @description what a model would be shown beside the text; nothing of it is kept */
            images?: {
                name: string;
                /** @enum {string} */
                media_type: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                width: number;
                height: number;
                bytes: number;
            }[];
        } | {
            /** @description it asks a person, or works on outside. Only a task can go on with it, so the call is given up */
            held: {
                /** @constant */
                kind: "asked";
                question: {
                    text: string;
                    /** @description the JSON Schema of the answer; null: whether the person agrees */
                    schema: {
                        [key: string]: unknown;
                    } | null;
                };
            } | {
                /** @constant */
                kind: "outside";
                message: string | null;
            };
        };
        ToolEntry: {
            /** @description as prompts and approvals name it */
            name: string;
            /** @description what a model is told of it */
            description: string;
            /** @description the JSON Schema of its arguments */
            parameters: {
                [key: string]: unknown;
            };
            /**
             * @description `signed`: a POST to the client by today’s signature; `http`: a request that the client has described
             * @enum {string}
             */
            origin: "built_in" | "signed" | "http" | "mcp" | "openapi";
            /** @description the name of the source that listed it */
            source: string | null;
            /** @description of a tool that is called by one HTTP request */
            method: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") | null;
            /** @description whether a call whose worker is lost is made again */
            repeatable: boolean;
            /** @description whether it only reads; null: nobody has said */
            read_only: boolean | null;
            /** @description whether it may destroy something; null: nobody has said */
            destructive: boolean | null;
        };
        SourceEntry: {
            name: string;
            /** @enum {string} */
            kind: "mcp" | "openapi";
            /**
             * @description `not_listed`: it is listed before the first effect
             * @enum {string}
             */
            state: "listed" | "not_listed" | "unavailable";
            /** @description how many tools it gave */
            tools: number;
            /** @description it has said that its list changed: it is listed again when the task goes on after a stop */
            changed: boolean;
            /** @description of the list as the source gave it */
            digest: string | null;
            /** @description what was left out or changed, and why it could not be listed */
            notes: string[];
        };
        ModelEntry: {
            /** @description as `settings.model` and `settings.models` take it */
            name: string;
            /** @description the name of its endpoint; `default` where none has a name */
            endpoint: string;
            /** @enum {string} */
            wire: "chat" | "responses" | "messages" | "workers_ai" | "built_in";
            /** @description as its endpoint calls it */
            model: string;
            /** @description whether it answers a task that names no model */
            default: boolean;
            /** @description at present. null: not known, so that a task with a bound of money cannot use it */
            prices: {
                /** @description of what is configured, or of the table of default prices; the journal names it too */
                version: string;
                /** @description USD per million tokens */
                input: string;
                /** @description USD per million tokens */
                output: string;
                /** @description USD per million tokens */
                cache_read?: string;
                /** @description USD per million tokens */
                cache_write?: string;
                /** @description USD per million tokens */
                image?: string;
                /** @description USD per million tokens */
                reasoning?: string;
                /** @description what a whole call costs if its input is longer */
                tiers?: {
                    /** @description tokens of input */
                    above: number;
                    /** @description USD per million tokens */
                    input: string;
                    /** @description USD per million tokens */
                    output: string;
                    /** @description USD per million tokens */
                    cache_read?: string;
                    /** @description USD per million tokens */
                    cache_write?: string;
                    /** @description USD per million tokens */
                    image?: string;
                    /** @description USD per million tokens */
                    reasoning?: string;
                }[];
            } | null;
            /** @description what is asked in its place, in order, if it is unavailable */
            fallback: string[];
            /** @description what the isolate that answers has learnt from calls; null: it has made none */
            learned: {
                /**
                 * @description the reply form that it accepts
                 * @enum {string}
                 */
                form: "json_schema" | "json_object" | "text";
                /** @description what it has refused, and is not sent any more */
                refused: string[];
            } | null;
        };
        FieldError: {
            pointer: string;
            message: string;
        };
        Problem: {
            /** @description `urn:loop-agent:problem:` and the code */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description the path of the request */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description what is wrong, by field (422); at most 20 */
            errors?: components["schemas"]["FieldError"][];
            /**
             * @description what is used up, of 429 `quota_exceeded`
             * @enum {string}
             */
            quota?: "open_tasks" | "bytes";
            /**
             * @description whose limit it is: of `tenant_budget_exceeded`, and `key` of `quota_exceeded` where it is that of the key
             * @enum {string}
             */
            limit_of?: "tenant" | "key";
            /**
             * @description what the total counts (`tenant_budget_exceeded`)
             * @enum {string}
             */
            period?: "day" | "month";
            /**
             * @description what is used up (`tenant_budget_exceeded`)
             * @enum {string}
             */
            axis?: "tokens" | "cost_usd";
            /** @description the total: tokens, or US dollars as a decimal (`tenant_budget_exceeded`) */
            limit?: string;
            /** @description when the total begins anew, RFC 3339 (`tenant_budget_exceeded`) */
            resets_at?: string;
            /** @description how much of the quota */
            used?: number;
            /** @description what the quota is */
            max?: number;
            /** @description the scope that the route needs (`insufficient_scope`) */
            needed?: string;
            /** @description the scopes of the key, with blanks between them (`insufficient_scope`) */
            scopes?: string;
            /** @description what was answered; null: nothing, the question went with its task (`question_settled` of an answer link); the status of the report that stands (`already_reported`) */
            recorded?: string | null;
            /** @description when the running slice must have ended (`task_busy`, `request_in_progress`) */
            lease_expires_at?: string;
        };
        QuestionPending: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "question";
            request_id: string;
            question: string;
            /** @description the text shown to a person */
            prompt: string;
            /** @description what the answer must fit: as a text where it wants a text, else as JSON */
            response_schema: {
                [key: string]: unknown;
            } | null;
            /** @description answers to choose from */
            choices: string[] | null;
            /** @description whether an answer outside `choices` is taken too: a model has made them up */
            other_answers: boolean;
            expires_at: string | null;
            /** @description a link by which someone without a key answers this one question; null in lists */
            answer_url: string | null;
        };
        FilePending: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "file";
            request_id: string;
            /** @description the name the file must have; null: any file with one of the endings will do */
            name: string | null;
            /** @description the text shown to a person */
            prompt: string;
            /** @description where the file is put with a key of the tenant; where any name will do, it ends with NAME, to be replaced */
            put_url: string;
            /** @description what the name must end with */
            endings: string[];
            /** @description the content types of these endings */
            content_types: string[];
            expires_at: string | null;
        };
        ApprovalPending: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "approval";
            /** @description names this one request: another plan or action has another */
            request_id: string;
            /** @description what waits to be run; null: it is the plan that waits */
            action: {
                tool: string;
                input: string;
                item_id: string | null;
            } | null;
        };
        ReportPending: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "report";
            /** @description the command whose report is waited for */
            delegation_id: string;
            /** @description when it counts as failed without one */
            deadline: string;
        };
        ToolPending: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "tool";
            /** @description the tool that works on outside */
            tool: string;
            /** @description what its server says of the work */
            message: string | null;
            /** @description when it is looked at again */
            looks_at: string;
            /** @description when it is given up */
            deadline: string;
        };
        ResumePending: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "resume";
            hint: string;
        };
        TaskCreatedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_created";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                mode: components["schemas"]["Mode"];
                goal: string;
            };
        };
        PlanCreatedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_created";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                items: {
                    id: string;
                    title: string;
                }[];
                /** @description 0-based place of the item that is worked on */
                cursor: number;
                revision?: number;
            };
        };
        ItemStartedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_started";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                item_id: string;
                title: string;
                /** @description 0-based place in the list */
                index: number;
                /** @description how many items the list has */
                total?: number;
            };
        };
        ItemCompletedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_completed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                item_id: string;
                title: string;
                /** @description 0-based place in the list */
                index: number;
                /** @constant */
                skipped?: true;
            };
        };
        ItemFailedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_failed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                item_id: string;
                title: string;
                /** @description 0-based place in the list */
                index: number;
            };
        };
        ThoughtDecidedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thought_decided";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                phase: components["schemas"]["ThoughtPhase"];
                /** @description the item that is worked on; null: none is */
                item_id: string | null;
                decision: components["schemas"]["ThoughtDecision"];
                text: string;
                reason?: string;
                /** @description whether the step is over */
                is_complete?: boolean;
            };
        };
        LlmThinkingEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "llm_thinking";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                thinking: string;
                /** @description false: the model has said nothing, and the text is made up in its place */
                is_real: boolean;
                iteration: number;
            };
        };
        TasksUpdatedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tasks_updated";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                tasks: {
                    id: number;
                    name: string;
                    /** @enum {string} */
                    status: "pending" | "completed" | "failed" | "skipped";
                }[];
                /** @enum {string} */
                source: "llm" | "system";
            };
        };
        ActionStartedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "action_started";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                /** @description the item that is worked on; null: none is */
                item_id: string | null;
                tool: string;
                input: string;
            };
        };
        ActionWaitingEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "action_waiting";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                tool: string;
                message: string | null;
            };
        };
        ActionFinishedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "action_finished";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                /** @description the item that is worked on; null: none is */
                item_id: string | null;
                tool: string;
                ok: boolean;
                /** @enum {string} */
                status: "success" | "error";
                text: string;
            };
        };
        PlanReplannedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_replanned";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                items: {
                    id: string;
                    title: string;
                }[];
                /** @description 0-based place of the item that is worked on */
                cursor: number;
                revision?: number;
            };
        };
        PlanAdjustedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_adjusted";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                items: {
                    id: string;
                    title: string;
                }[];
                /** @description 0-based place of the item that is worked on */
                cursor: number;
                revision?: number;
            };
        };
        PlanEditedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_edited";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                items: {
                    id: string;
                    title: string;
                }[];
                /** @description 0-based place of the item that is worked on */
                cursor: number;
                revision?: number;
                author: string;
                diff: {
                    added: string[];
                    removed: string[];
                    kept: string[];
                    moved: string[];
                    /** @description named by the edit, and finished before it was made */
                    dropped: string[];
                };
            };
        };
        CommandDispatchedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "command_dispatched";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                delegation_id: string;
                command_type: components["schemas"]["CommandType"];
            };
        };
        ReportReceivedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "report_received";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                delegation_id: string;
                report: components["schemas"]["Report"];
            };
        };
        ClarificationRequestedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clarification_requested";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                request_id: string;
                question: string;
                /** @description what waits for approval; null: the plan does */
                action?: {
                    /** @description the item that is worked on; null: none is */
                    item_id: string | null;
                    tool: string;
                    input: string;
                } | null;
            };
        };
        ClarificationAnsweredEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clarification_answered";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                request_id: string;
                answer: string;
            };
        };
        FileRequestedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "file_requested";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                request_id: string;
                name: string | null;
                prompt: string;
            };
        };
        FileArrivedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "file_arrived";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                request_id: string;
                name: string;
            };
        };
        ToolsListedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tools_listed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                source: string;
                tools: string[];
                digest: string;
                notes: string[];
            };
        };
        ToolsUnavailableEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tools_unavailable";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                source: string;
                reason: string;
                optional: boolean;
            };
        };
        ContractFailedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contract_failed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                phase: string;
                reason: string;
            };
        };
        LoopGuardEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "loop_guard";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                guard: components["schemas"]["Guard"];
                count: number;
                evidence: string;
                /** @description of `model_fallback`: the model that was given up */
                from?: string;
                /** @description of `model_fallback`: the model that is asked from now on */
                to?: string;
            };
        };
        BudgetExhaustedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget_exhausted";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                /** @enum {string} */
                axis: "steps" | "tokens" | "cost_usd" | "seconds" | "iterations" | "tenant";
                used: number | string | null;
                max: number | string | null;
                /** @description of `tokens`: the used tokens, each in one kind */
                kinds?: {
                    input: number;
                    cache_read: number;
                    cache_write: number;
                    image: number;
                    output: number;
                    reasoning: number;
                };
            };
        };
        BudgetAddedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget_added";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                /** @enum {string} */
                axis: "steps" | "tokens" | "cost_usd" | "seconds" | "iterations" | "attempts";
                amount?: number | string;
                max: number | string | null;
            };
        };
        TaskChangedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_changed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                /** @description what was changed */
                members: ("drive" | "callback_url" | "metadata" | "title")[];
                /** @enum {string} */
                drive: "manual" | "background";
                title: string | null;
            };
        };
        TaskPausedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_paused";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                stop_reason: components["schemas"]["PauseReason"];
            };
        };
        TaskResumedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_resumed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
            };
        };
        ReportGeneratedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "report_generated";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                report: string;
            };
        };
        TaskCompletedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_completed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                /** @constant */
                stop_reason: "done";
                outcome: components["schemas"]["Outcome"] | null;
                /** @description of a task with `output_schema` */
                data?: unknown;
            };
        };
        TaskFailedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_failed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                stop_reason: components["schemas"]["FailureCode"];
            };
        };
        TaskCanceledEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_canceled";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
            };
        };
        AgentStartedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent_started";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                session_id: string;
                user_request: string;
                /** @enum {string} */
                mode: "autonomous" | "staged";
            };
        };
        AgentCompletedEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent_completed";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                iterations: number;
                limit_reached: boolean;
                /** @description what ended the run, or its stop reason */
                reason: string;
                tasks_summary: {
                    total: number;
                    completed: number;
                };
                open_tasks: string[];
            };
        };
        AgentErrorEvent: {
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent_error";
            at: string;
            task_id: string;
            payload: {
                journal_seq: number;
                step_count: number;
                error: string;
                phase: string;
            };
        };
    };
    responses: {
        /** @description `unauthorized`: no key, or not a known one; or a token of a login that is not accepted */
        unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `no_tenant`: the token is right, and its claim for the tenant is missing or names none. `worker_key`: it opens the routes of delegations, and nothing else of its tenant. `insufficient_scope`: the route needs a scope that the key does not have; `needed` names it. `tenant_disabled`: its keys and links open nothing until an operator enables it */
        "no_tenant.worker_key.insufficient_scope.tenant_disabled": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After. `quota_exceeded`: `quota` says which, `used` and `max` how much: `open_tasks`, let some end, cancel or delete them; `bytes` of all that is stored, delete tasks or files. `tenant_budget_exceeded`: the tokens or the money of the tenant or of the key, in the UTC day or the calendar month */
        "rate_limited.quota_exceeded.tenant_budget_exceeded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `issuer_unreachable`: tokens of logins cannot be verified now; keys go on working; try again after Retry-After. `not_configured`: the operator has to mend the configuration. `not_configured`: the operator has to mend the configuration. `unavailable`: try again after Retry-After. `shutting_down`: the process is ending and begins nothing new; try again after Retry-After */
        "issuer_unreachable.not_configured.not_configured.unavailable.shutting_down": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: a field, a query parameter, a header or the depth; see errors. `idempotency_key_reused`: it came before with another body. `llm_not_configured`: a goal needs a model; slash commands work without one. `model_not_budgetable`: a bound on money needs a price for every model of the task */
        "validation_failed.idempotency_key_reused.llm_not_configured.model_not_budgetable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_json`: the body is not JSON in UTF-8. `unreadable_body`: a form or text body is not UTF-8, or ended early. `unreadable_body`: a form or text body is not UTF-8, or ended early */
        "invalid_json.unreadable_body.unreadable_body": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: JSON, form and text bodies are at most 1 MiB; a report at most 1900000 bytes when it is written as JSON. `file_too_large`: at most 50 MiB (52428800 bytes), a spreadsheet at most 10 MiB (10485760 bytes) */
        "payload_too_large.file_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: see Accept-Post, or Accept-Patch, for what the route takes; of a file the ending of its name counts */
        unsupported_media_type: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Accept-Post": components["headers"]["Accept-Post"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `task_not_found`: unknown, deleted, or of another tenant. `agent_not_found`: the tenant has no agent of this name, or keeps no such version of it */
        "task_not_found.agent_not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `state_unreadable`: its stored state is damaged; other tasks are not affected. `internal_error`: a fault of the service */
        "state_unreadable.internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at. `lease_lost`: another request took the task over; the attempt of this one is counted, its outcome was not taken. `too_many_files`: a task has at most 100; delete some of them. `file_reserved`: the mode of the task keeps a document of this name itself */
        "request_in_progress.task_busy.lease_lost.too_many_files.file_reserved": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `storage_full`: the change was not made; what is stored can still be read and deleted */
        storage_full: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `issuer_unreachable`: tokens of logins cannot be verified now; keys go on working; try again after Retry-After. `not_configured`: the operator has to mend the configuration. `unavailable`: try again after Retry-After. `shutting_down`: the process is ending and begins nothing new; try again after Retry-After */
        "issuer_unreachable.not_configured.unavailable.shutting_down": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: a field, a query parameter, a header or the depth; see errors */
        validation_failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal_error`: a fault of the service */
        internal_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `task_not_found`: unknown, deleted, or of another tenant */
        task_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: a field, a query parameter, a header or the depth; see errors. `idempotency_key_reused`: it came before with another body */
        "validation_failed.idempotency_key_reused": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_json`: the body is not JSON in UTF-8. `unreadable_body`: a form or text body is not UTF-8, or ended early */
        "invalid_json.unreadable_body": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: JSON, form and text bodies are at most 1 MiB; a report at most 1900000 bytes when it is written as JSON */
        payload_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at. `lease_lost`: another request took the task over; the attempt of this one is counted, its outcome was not taken */
        "request_in_progress.task_busy.lease_lost": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at. `lease_lost`: another request took the task over; the attempt of this one is counted, its outcome was not taken. `task_ended`: it takes no more input, and no more files. `question_settled`: request_id, or the link, is not of the open question */
        "request_in_progress.task_busy.lease_lost.task_ended.question_settled": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at. `lease_lost`: another request took the task over; the attempt of this one is counted, its outcome was not taken. `task_ended`: it takes no more input, and no more files */
        "request_in_progress.task_busy.lease_lost.task_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After. `quota_exceeded`: `quota` says which, `used` and `max` how much: `open_tasks`, let some end, cancel or delete them; `bytes` of all that is stored, delete tasks or files */
        "rate_limited.quota_exceeded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: see Accept-Post, or Accept-Patch, for what the route takes; of a file the ending of its name counts */
        "patch.unsupported_media_type": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Accept-Patch": components["headers"]["Accept-Patch"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at. `lease_lost`: another request took the task over; the attempt of this one is counted, its outcome was not taken. `task_ended`: it takes no more input, and no more files. `plan_not_editable`: the mode of the task, or what it is doing, has no plan to be edited */
        "request_in_progress.task_busy.lease_lost.task_ended.plan_not_editable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_failed`: If-Match names another version; read the task again */
        precondition_failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_required`: send the ETag of the task you have seen */
        precondition_required: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running */
        request_in_progress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After. `too_many_watchers`: of this task; close one, or read its events in pages */
        "rate_limited.too_many_watchers": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: a field, a query parameter, a header or the depth; see errors. `idempotency_key_reused`: it came before with another body. `model_not_budgetable`: a bound on money needs a price for every model of the task */
        "validation_failed.idempotency_key_reused.model_not_budgetable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_in_progress`: the first request with this Idempotency-Key is still running. `task_not_ended`: only a task that has ended is made again */
        "request_in_progress.task_not_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `task_ended`: it takes no more input, and no more files. `file_reserved`: the mode of the task keeps a document of this name itself. `too_many_files`: a task has at most 100; delete some of them */
        "task_ended.file_reserved.too_many_files": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unreadable_body`: a form or text body is not UTF-8, or ended early */
        unreadable_body: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `file_too_large`: at most 50 MiB (52428800 bytes), a spreadsheet at most 10 MiB (10485760 bytes) */
        file_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: see Accept-Post, or Accept-Patch, for what the route takes; of a file the ending of its name counts */
        "put.unsupported_media_type": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `task_not_found`: unknown, deleted, or of another tenant. `file_not_found`: the task has no file of this name */
        "task_not_found.file_not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `file_reserved`: the mode of the task keeps a document of this name itself */
        file_reserved: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: a field, a query parameter, a header or the depth; see errors. `llm_not_configured`: a goal needs a model; slash commands work without one. `model_not_budgetable`: a bound on money needs a price for every model of the task */
        "validation_failed.llm_not_configured.model_not_budgetable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `agent_changed`: If-Match or If-None-Match names another version; read the agent again */
        agent_changed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_agents`: a tenant has at most 100; delete some of them */
        too_many_agents: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `agent_not_found`: the tenant has no agent of this name, or keeps no such version of it */
        agent_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `agent_in_use`: tasks that it has made are open; `force` deletes it all the same */
        agent_in_use: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_secrets`: a tenant has at most 100; delete some of them */
        too_many_secrets: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `secret_not_found`: the tenant has no secret of this name */
        secret_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_schedules`: the tenant has as many as `MAX_SCHEDULES` allows; delete some of them */
        too_many_schedules: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `schedule_not_found`: the tenant has no schedule of this name */
        schedule_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After. `quota_exceeded`: `quota` says which, `used` and `max` how much: `open_tasks`, let some end, cancel or delete them; `bytes` of all that is stored, delete tasks or files. `schedule_budget_exceeded`: its runs of this day have used the tokens or the money of `daily`. `tenant_budget_exceeded`: the tokens or the money of the tenant or of the key, in the UTC day or the calendar month */
        "rate_limited.quota_exceeded.schedule_budget_exceeded.tenant_budget_exceeded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `delivery_not_found`: unknown, of a deleted task, or of another tenant */
        delivery_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After */
        "link.rate_limited": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `link_not_found`: changed on its way, unknown, or of a task that was deleted */
        "link.link_not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `expired`: a signed link is past its time */
        "link.expired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `state_unreadable`: its stored state is damaged; other tasks are not affected. `internal_error`: a fault of the service */
        "link.state_unreadable.internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_configured`: the operator has to mend the configuration. `unavailable`: try again after Retry-After. `shutting_down`: the process is ending and begins nothing new; try again after Retry-After */
        "link.not_configured.unavailable.shutting_down": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `storage_full`: the change was not made; what is stored can still be read and deleted */
        "link.storage_full": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: the rate limit of the tenant, or of a link; see Retry-After. `quota_exceeded`: `quota` says which, `used` and `max` how much: `open_tasks`, let some end, cancel or delete them; `bytes` of all that is stored, delete tasks or files */
        "link.rate_limited.quota_exceeded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_json`: the body is not JSON in UTF-8. `unreadable_body`: a form or text body is not UTF-8, or ended early */
        "link.invalid_json.unreadable_body": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: JSON, form and text bodies are at most 1 MiB; a report at most 1900000 bytes when it is written as JSON */
        "link.payload_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: see Accept-Post, or Accept-Patch, for what the route takes; of a file the ending of its name counts */
        "link.unsupported_media_type": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Accept-Post": components["headers"]["Accept-Post"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: a field, a query parameter, a header or the depth; see errors. `idempotency_key_reused`: it came before with another body */
        "link.validation_failed.idempotency_key_reused": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `question_settled`: request_id, or the link, is not of the open question. `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at */
        "link.question_settled.request_in_progress.task_busy": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `no_tenant`: the token is right, and its claim for the tenant is missing or names none. `insufficient_scope`: the route needs a scope that the key does not have; `needed` names it. `tenant_disabled`: its keys and links open nothing until an operator enables it */
        "no_tenant.insufficient_scope.tenant_disabled": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `delegation_not_found`: unknown, of a deleted task, or of another tenant */
        delegation_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `delegation_claimed`: another worker has its lease; see Retry-After. `already_reported`: another report was recorded before, and stands. `delegation_expired`: its deadline passed before the report came. `delegation_canceled`: its task has ended, or its plan was changed. `request_in_progress`: the first request with this Idempotency-Key is still running */
        "delegation_claimed.already_reported.delegation_expired.delegation_canceled.request_in_progress": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `wrong_command`: its command_id is not that of the delegation. `already_reported`: another report was recorded before, and stands. `delegation_expired`: its deadline passed before the report came. `delegation_canceled`: its task has ended, or its plan was changed. `request_in_progress`: the first request with this Idempotency-Key is still running. `task_busy`: another slice of it is running: try again after Retry-After; its lease ends at lease_expires_at */
        "wrong_command.already_reported.delegation_expired.delegation_canceled.request_in_progress.task_busy": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `link_not_found`: changed on its way, unknown, or of a task that was deleted */
        link_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_configured`: the operator has to mend the configuration. `unavailable`: try again after Retry-After. `shutting_down`: the process is ending and begins nothing new; try again after Retry-After */
        "not_configured.unavailable.shutting_down": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `no_tenant`: the token is right, and its claim for the tenant is missing or names none */
        no_tenant: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: no such route */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `no_tenant`: the token is right, and its claim for the tenant is missing or names none. `worker_key`: it opens the routes of delegations, and nothing else of its tenant. `insufficient_scope`: the route needs a scope that the key does not have; `needed` names it. `tenant_disabled`: its keys and links open nothing until an operator enables it. `operator_only`: only ADMIN_KEY may do this */
        "no_tenant.worker_key.insufficient_scope.tenant_disabled.operator_only": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `tenant_exists`: the name is taken, also where its tenant was deleted. `too_many_tenants`: delete some of them. `request_in_progress`: the first request with this Idempotency-Key is still running */
        "tenant_exists.too_many_tenants.request_in_progress": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `tenant_not_found`: unknown, deleted, or not yours to see */
        tenant_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `tenant_enabled`: only a disabled tenant is deleted */
        tenant_enabled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `no_tenant`: the token is right, and its claim for the tenant is missing or names none. `worker_key`: it opens the routes of delegations, and nothing else of its tenant. `insufficient_scope`: the route needs a scope that the key does not have; `needed` names it. `tenant_disabled`: its keys and links open nothing until an operator enables it. `grant_exceeded`: a key gives nothing that the key of its maker does not have; see errors */
        "no_tenant.worker_key.insufficient_scope.tenant_disabled.grant_exceeded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_keys`: a tenant has at most 1000 live keys; revoke some of them. `key_ended`: it is revoked or expired, or another key has taken its place. `request_in_progress`: the first request with this Idempotency-Key is still running */
        "too_many_keys.key_ended.request_in_progress": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `key_not_found`: unknown, forgotten, or of another tenant */
        key_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `key_ended`: it is revoked or expired, or another key has taken its place */
        key_ended: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `usage_off`: the operator has turned it off (`USAGE`) */
        usage_off: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `traces_off`: the operator has turned it off (`OTEL_SDK_DISABLED`, or `USAGE` without a receiver) */
        traces_off: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `receiver_not_found`: the tenant has named none; PUT /telemetry names one */
        receiver_not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description echoed when it was `[A-Za-z0-9._-]{1,128}`, else made */
        "X-Request-Id": string;
        /** @description seconds */
        "Retry-After": string;
        /** @description Bearer, and what was wrong */
        "WWW-Authenticate": string;
        /** @description the content types of this route */
        "Accept-Post": string;
        /** @description the content types of this route */
        "Accept-Patch": string;
        /** @description what is left of the minute */
        RateLimit: string;
        /** @description of a task its version and what it has made, of a calendar or a file what is in it; in double quotes */
        ETag: string;
        /** @description with `rel="alternate"`: where the calendar can be read for a year without a key */
        Link: string;
        /** @description the path of the new key */
        Location: string;
        /** @description nothing in a file runs, or loads anything, in the origin of the service */
        "Content-Security-Policy": string;
        /** @description inline, as `calendar.ics` */
        "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTasks: {
        parameters: {
            query?: {
                status?: "queued" | "running" | "input_required" | "waiting_external" | "paused" | "completed" | "failed" | "canceled";
                mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
                /** @description only tasks with these labels, once per key */
                metadata?: {
                    [key: string]: string;
                };
                /** @description only tasks whose goal or id contains this text, in whatever case; one made by a release without this search is found by its id alone. A page looks at 10,000 tasks at most, so it may be empty while `has_more` is true */
                q?: string;
                /** @description only tasks whose result has this outcome. Tasks that have failed or were canceled have no result, and so none: use `status` */
                outcome?: "done" | "partial" | "not_done";
                /** @description only tasks that the agent of this name has made */
                agent?: string;
                /** @description only forks of the task with this id */
                forked_from?: string;
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of tasks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *           "mode": "plan_execute",
                     *           "goal": "Buy milk tomorrow",
                     *           "locale": "en",
                     *           "timezone": "Europe/Berlin",
                     *           "status": "running",
                     *           "stop_reason": null,
                     *           "plan": {
                     *             "revision": 1,
                     *             "cursor": 0,
                     *             "source": "plan",
                     *             "finished_count": 0
                     *           },
                     *           "budget": {
                     *             "unit": "steps",
                     *             "used": 2,
                     *             "max": 20,
                     *             "remaining": 18,
                     *             "tokens": {
                     *               "used": 412,
                     *               "max": null,
                     *               "kinds": {
                     *                 "input": 310,
                     *                 "cache_read": 0,
                     *                 "cache_write": 0,
                     *                 "image": 0,
                     *                 "output": 102,
                     *                 "reasoning": 0
                     *               }
                     *             },
                     *             "cost_usd": {
                     *               "used": "0.000000",
                     *               "max": null
                     *             },
                     *             "seconds": {
                     *               "used": 1,
                     *               "max": null
                     *             }
                     *           },
                     *           "step_count": 2,
                     *           "counters": {
                     *             "model_calls": 2,
                     *             "actions": 1,
                     *             "successful_actions": 1,
                     *             "failed_actions": 0,
                     *             "replans": 0,
                     *             "iterations": 0
                     *           },
                     *           "pending": null,
                     *           "result": null,
                     *           "error": null,
                     *           "retry_after_ms": null,
                     *           "settings": {
                     *             "max_steps": 20,
                     *             "max_tokens": null,
                     *             "max_cost_usd": null,
                     *             "max_seconds": null,
                     *             "plan_retries": 2,
                     *             "strict_replies": false,
                     *             "calls": "exact",
                     *             "failure_limit": 2,
                     *             "max_clarifications": 6,
                     *             "observation_char_limit": 10000,
                     *             "observation_history_limit": 100,
                     *             "cancel_phrase": "取消当前任务",
                     *             "continue_grants": true,
                     *             "model": null,
                     *             "models": {},
                     *             "temperature": 0,
                     *             "reasoning_effort": null,
                     *             "phases": {},
                     *             "model_timeout_s": 60,
                     *             "model_silence_s": 60,
                     *             "max_output_tokens": 4096,
                     *             "question_ttl_s": 604800,
                     *             "on_question_expired": "pause",
                     *             "approve": "none",
                     *             "dataset": null,
                     *             "report_timeout_s": 3600,
                     *             "search_top_k": 3,
                     *             "respect_robots": true,
                     *             "schedule_window_days": 31,
                     *             "conflict_preview_days": 31
                     *           },
                     *           "tools": [
                     *             "add_todo",
                     *             "update_todo",
                     *             "complete_todo",
                     *             "delete_todo",
                     *             "list_todos",
                     *             "add_event",
                     *             "update_event",
                     *             "delete_event",
                     *             "list_events",
                     *             "todo",
                     *             "schedule",
                     *             "internet_search",
                     *             "fetch_url",
                     *             "read_file",
                     *             "write_file",
                     *             "list_files",
                     *             "think",
                     *             "read_dataset",
                     *             "run_code"
                     *           ],
                     *           "drive": "manual",
                     *           "callback_url": null,
                     *           "metadata": {
                     *             "source": "curl"
                     *           },
                     *           "title": null,
                     *           "agent": null,
                     *           "forked_from": null,
                     *           "version": 5,
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "updated_at": "2026-03-02T09:00:02.000Z",
                     *           "as_of": "2026-03-02T09:00:04.000Z"
                     *         }
                     *       ],
                     *       "has_more": true,
                     *       "next_cursor": "17",
                     *       "as_of": "2026-03-02T09:00:05.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    createTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
                /**
                 * @deprecated
                 * @description the old name of `POST /tasks/dry-run`, whose answer then comes with 200
                 */
                dry_run?: boolean;
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "goal": "Buy milk tomorrow",
                 *       "rounds": 1,
                 *       "settings": {
                 *         "max_steps": 20,
                 *         "max_cost_usd": "0.50"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTask"];
                "application/x-www-form-urlencoded": {
                    /** @description the input of the agent, as a JSON object; any other text stands instead of `goal` */
                    input?: string;
                    /** @description instead of `goal` */
                    Body?: string;
                    /** @description instead of `goal` */
                    text?: string;
                    /** @description what is to be done, in English or Chinese. It is needed, unless `agent` has one */
                    goal?: string;
                    /**
                     * @description default "plan_execute"
                     * @enum {string}
                     */
                    mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
                    /**
                     * @description language of prompts and texts; by the script of the goal when left out
                     * @enum {string}
                     */
                    locale?: "en" | "zh";
                    /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
                    timezone?: string;
                    /** @description what you call the task; nothing is decided by it */
                    title?: string;
                    /**
                     * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
                     * @enum {string}
                     */
                    drive?: "manual" | "background";
                    /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
                    callback_url?: string;
                    /** @description seconds the task is kept after it has ended; default 2592000 */
                    idle_ttl_s?: number;
                    /** @description the agent by which the task is made, `name` for its newest version or `name@version`. The task keeps that version. `mode`, `instructions`, `tools` and `output_schema` are then those of the agent */
                    agent?: string;
                    /** @description rounds of the slice at most; 0 only plans; default 1 */
                    rounds?: number;
                    /** @description no round begins after this time, in ms; default 25000 */
                    max_ms?: number;
                };
                "multipart/form-data": {
                    /** @description all fields as JSON, in place of the others */
                    task?: string;
                    /** @description the input of the agent, as a JSON object; any other text stands instead of `goal` */
                    input?: string;
                    /** @description instead of `goal` */
                    Body?: string;
                    /** @description instead of `goal` */
                    text?: string;
                    /** @description what is to be done, in English or Chinese. It is needed, unless `agent` has one */
                    goal?: string;
                    /**
                     * @description default "plan_execute"
                     * @enum {string}
                     */
                    mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
                    /**
                     * @description language of prompts and texts; by the script of the goal when left out
                     * @enum {string}
                     */
                    locale?: "en" | "zh";
                    /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
                    timezone?: string;
                    /** @description what you call the task; nothing is decided by it */
                    title?: string;
                    /**
                     * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
                     * @enum {string}
                     */
                    drive?: "manual" | "background";
                    /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
                    callback_url?: string;
                    /** @description seconds the task is kept after it has ended; default 2592000 */
                    idle_ttl_s?: number;
                    /** @description the agent by which the task is made, `name` for its newest version or `name@version`. The task keeps that version. `mode`, `instructions`, `tools` and `output_schema` are then those of the agent */
                    agent?: string;
                    /** @description rounds of the slice at most; 0 only plans; default 1 */
                    rounds?: number;
                    /** @description no round begins after this time, in ms; default 25000 */
                    max_ms?: number;
                    /** @description under any name, behind the fields */
                    files?: string[];
                };
                "text/plain": string;
            };
        };
        responses: {
            /** @description The new task */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found.agent_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost.too_many_files.file_reserved"];
            413: components["responses"]["payload_too_large.file_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused.llm_not_configured.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    dryRunTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "goal": "Buy milk tomorrow",
                 *       "settings": {
                 *         "max_steps": 20
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTask"];
                "application/x-www-form-urlencoded": {
                    /** @description the input of the agent, as a JSON object; any other text stands instead of `goal` */
                    input?: string;
                    /** @description instead of `goal` */
                    Body?: string;
                    /** @description instead of `goal` */
                    text?: string;
                    /** @description what is to be done, in English or Chinese. It is needed, unless `agent` has one */
                    goal?: string;
                    /**
                     * @description default "plan_execute"
                     * @enum {string}
                     */
                    mode?: "plan_execute" | "dynamic" | "session" | "autonomous" | "orchestrator";
                    /**
                     * @description language of prompts and texts; by the script of the goal when left out
                     * @enum {string}
                     */
                    locale?: "en" | "zh";
                    /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
                    timezone?: string;
                    /** @description what you call the task; nothing is decided by it */
                    title?: string;
                    /**
                     * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
                     * @enum {string}
                     */
                    drive?: "manual" | "background";
                    /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
                    callback_url?: string;
                    /** @description seconds the task is kept after it has ended; default 2592000 */
                    idle_ttl_s?: number;
                    /** @description the agent by which the task is made, `name` for its newest version or `name@version`. The task keeps that version. `mode`, `instructions`, `tools` and `output_schema` are then those of the agent */
                    agent?: string;
                    /** @description rounds of the slice at most; 0 only plans; default 1 */
                    rounds?: number;
                    /** @description no round begins after this time, in ms; default 25000 */
                    max_ms?: number;
                };
                "text/plain": string;
            };
        };
        responses: {
            /** @description A dry run: the plan, not kept, and the forecast */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": null,
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": false,
                     *         "rounds": 0,
                     *         "events": []
                     *       },
                     *       "forecast": {
                     *         "worst_case": {
                     *           "steps": 20,
                     *           "tokens": 180000,
                     *           "cost_usd": "0.000000",
                     *           "seconds": 1260
                     *         },
                     *         "expected": {
                     *           "steps": {
                     *             "low": 3,
                     *             "high": 6
                     *           },
                     *           "tokens": {
                     *             "low": 900,
                     *             "high": 2400
                     *           },
                     *           "cost_usd": {
                     *             "low": "0.000000",
                     *             "high": "0.000000"
                     *           },
                     *           "seconds": {
                     *             "low": 1,
                     *             "high": 4
                     *           },
                     *           "tasks": 24,
                     *           "past_error": 0.18
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found.agent_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost.too_many_files.file_reserved"];
            413: components["responses"]["payload_too_large.file_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused.llm_not_configured.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description The `ETag` of what you have, a list of them, or `*`: 304 when the task, or the file, is still that. While `retry_after_ms` is counting down the answer is always 200. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": null
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description It is the version you have */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    changeTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` of what you have seen, or `*` for whatever there is: 412 when the task is another version by now. */
                "If-Match"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Milk for tomorrow",
                 *       "metadata": {
                 *         "source": "phone"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeTask"];
            };
        };
        responses: {
            /** @description The task */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "phone"
                     *       },
                     *       "title": "Milk for tomorrow",
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["patch.unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    endLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    stepTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "rounds": 3
                 *     }
                 */
                "application/json": components["schemas"]["StepTask"];
            };
        };
        responses: {
            /** @description The task after the slice */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    inputTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "input": "tomorrow at 3pm"
                 *     }
                 */
                "application/json": components["schemas"]["InputTask"];
                "application/x-www-form-urlencoded": {
                    /** @description an answer, a remark, "continue", the cancel phrase, or a slash command */
                    input?: string;
                    /** @description instead of `input` */
                    Body?: string;
                    /** @description instead of `input` */
                    text?: string;
                    /** @description the question that is answered; refused unless it is the open one */
                    request_id?: string;
                    /** @description rounds of the slice at most; 0 only plans; default 1 */
                    rounds?: number;
                    /** @description no round begins after this time, in ms; default 25000 */
                    max_ms?: number;
                };
                "text/plain": string;
            };
        };
        responses: {
            /** @description The task after the input */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost.task_ended.question_settled"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    topUpTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "add": {
                 *         "steps": 10,
                 *         "cost_usd": "0.25"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TopUpTask"];
            };
        };
        responses: {
            /** @description The task with its new budget */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost.task_ended"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    editPlan: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` of what you have seen, or `*` for whatever there is: 412 when the task is another version by now. */
                "If-Match"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "id": "step_1",
                 *           "title": "Add \"buy milk\" to the todo list",
                 *           "expected_output": "the number of the todo"
                 *         },
                 *         {
                 *           "title": "List the todos"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EditPlan"];
            };
        };
        responses: {
            /** @description The task with its new plan */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost.task_ended.plan_not_editable"];
            412: components["responses"]["precondition_failed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["patch.unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            428: components["responses"]["precondition_required"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    pauseTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PauseTask"];
            };
        };
        responses: {
            /** @description The task */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "paused",
                     *       "stop_reason": "paused_by_user",
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    resumeTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ResumeTask"];
            };
        };
        responses: {
            /** @description The task */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    cancelTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["CancelTask"];
            };
        };
        responses: {
            /** @description The task */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "canceled",
                     *       "stop_reason": "canceled",
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description entries of a page (20); as text, lines come live without it */
                limit?: number;
                /** @description only entries with a greater seq */
                after?: number;
                /** @description of the link that answers of the task carry, instead of a key */
                token?: string;
            };
            header?: {
                /** @description Of a stream: the id of the last event that was seen. It wins over `after` when it is a number. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The WebSocket is open */
            101: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description One page of events, or the stream of them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "seq": 1,
                     *           "type": "plan_created",
                     *           "at": "2026-03-02T09:00:01.000Z",
                     *           "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *           "payload": {
                     *             "items": [
                     *               {
                     *                 "id": "step_1",
                     *                 "title": "Add \"buy milk\" to the todo list"
                     *               }
                     *             ],
                     *             "cursor": 0,
                     *             "journal_seq": 2,
                     *             "step_count": 0
                     *           }
                     *         },
                     *         {
                     *           "seq": 2,
                     *           "type": "item_started",
                     *           "at": "2026-03-02T09:00:01.000Z",
                     *           "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *           "payload": {
                     *             "item_id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "index": 0,
                     *             "total": 1,
                     *             "journal_seq": 2,
                     *             "step_count": 0
                     *           }
                     *         }
                     *       ],
                     *       "has_more": true,
                     *       "next_cursor": "2"
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited.too_many_watchers"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listJournal: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description only entries with a greater seq */
                after?: number;
                /** @description leave out what was asked and what came back */
                redact?: boolean;
            };
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of journal rows */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "seq": 2,
                     *           "kind": "call_model",
                     *           "phase": "plan",
                     *           "counted": false,
                     *           "outcome": "ok",
                     *           "tokens": {
                     *             "input": 310,
                     *             "output": 102,
                     *             "kinds": {
                     *               "input": 310,
                     *               "cache_read": 0,
                     *               "cache_write": 0,
                     *               "image": 0,
                     *               "output": 102,
                     *               "reasoning": 0
                     *             }
                     *           },
                     *           "charged_tokens": 560,
                     *           "price_version": null,
                     *           "endpoint": null,
                     *           "over_reserve": false,
                     *           "duration_ms": 812,
                     *           "cost_usd": "0.000000",
                     *           "model": "offline-rules",
                     *           "attempt": 1,
                     *           "started_at": "2026-03-02T09:00:00.000Z",
                     *           "finished_at": "2026-03-02T09:00:01.000Z",
                     *           "request": {
                     *             "messages": [
                     *               {
                     *                 "role": "user",
                     *                 "content": "Plan: buy milk tomorrow"
                     *               }
                     *             ]
                     *           },
                     *           "request_exact": true,
                     *           "reply": {
                     *             "status": "planned",
                     *             "plan": [
                     *               "Add \"buy milk\" to the todo list"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["JournalPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    exportTask: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description only entries with a greater seq */
                after?: number;
            };
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of stored rows */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "seq": 5,
                     *           "kind": "user_remarked",
                     *           "at": 1772442000000,
                     *           "slice": null,
                     *           "lease": null,
                     *           "key": null,
                     *           "effect": null,
                     *           "reserved": null,
                     *           "event": "{\"kind\":\"user_remarked\",\"text\":\"before noon, please\"}",
                     *           "head": "{\"schema_version\":2,…"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["StoredPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    forkTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "at": 4,
                 *       "settings": {
                 *         "max_steps": 40
                 *       },
                 *       "edit": {
                 *         "seq": 4,
                 *         "outcome": {
                 *           "ok": false,
                 *           "code": "error",
                 *           "text": "no such list"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ForkTask"];
            };
        };
        responses: {
            /** @description The new task */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": false,
                     *         "rounds": 0,
                     *         "events": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    retryTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "max_steps": 40
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RetryTask"];
            };
        };
        responses: {
            /** @description The new task */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": null,
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": false,
                     *         "rounds": 0,
                     *         "events": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress.task_not_ended"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    replayTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ReplayTask"];
            };
        };
        responses: {
            /** @description Whether all is as it was decided, else the first difference */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "equal": false,
                     *       "events": 12,
                     *       "first_difference": {
                     *         "seq": 12,
                     *         "path": "/head/budget/steps/used",
                     *         "expected": 6,
                     *         "found": 5
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getFile: {
        parameters: {
            query?: {
                /** @description of the link that answers of the task carry, instead of a key */
                token?: string;
            };
            header?: {
                /** @description The `ETag` of what you have, a list of them, or `*`: 304 when the task, or the file, is still that. While `retry_after_ms` is counting down the answer is always 200. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description the id of the task */
                id: string;
                /** @description one segment: 1 to 128 letters, digits, `.`, `_`, `-`; not `.` or `..` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description It is what you have */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found.file_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
                /** @description one segment: 1 to 128 letters, digits, `.`, `_`, `-`; not `.` or `..` */
                name: string;
            };
            cookie?: never;
        };
        /** @description the file */
        requestBody: {
            content: {
                "text/csv": unknown;
                "text/tab-separated-values": unknown;
                "application/json": unknown;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                "application/vnd.ms-excel": unknown;
                "text/markdown; charset=utf-8": unknown;
                "text/plain; charset=utf-8": unknown;
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/gif": unknown;
                "*/*": unknown;
            };
        };
        responses: {
            /** @description It takes the place of the one that was there */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "sales.csv",
                     *       "content_type": "text/csv",
                     *       "size": 52431,
                     *       "url": "https://agent.example/tasks/task_Zk3vQ8mT1xY7bN5cR2wH/files/sales.csv?token=WzEsInJlYWQ6ZmlsZXMi",
                     *       "created_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description A new file */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "sales.csv",
                     *       "content_type": "text/csv",
                     *       "size": 52431,
                     *       "url": "https://agent.example/tasks/task_Zk3vQ8mT1xY7bN5cR2wH/files/sales.csv?token=WzEsInJlYWQ6ZmlsZXMi",
                     *       "created_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["task_ended.file_reserved.too_many_files"];
            413: components["responses"]["file_too_large"];
            415: components["responses"]["put.unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
                /** @description one segment: 1 to 128 letters, digits, `.`, `_`, `-`; not `.` or `..` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found.file_not_found"];
            409: components["responses"]["file_reserved"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before: the name of its last file */
                after?: string;
                /** @description of the link that answers of the task carry, instead of a key */
                token?: string;
            };
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of files */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "sales.csv",
                     *           "content_type": "text/csv",
                     *           "size": 52431,
                     *           "url": "https://agent.example/tasks/task_Zk3vQ8mT1xY7bN5cR2wH/files/sales.csv?token=WzEsInJlYWQ6ZmlsZXMi",
                     *           "created_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what you have, a list of them, or `*`: 304 when the task, or the file, is still that. While `retry_after_ms` is counting down the answer is always 200. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description the name of the agent for its newest version, or `name@version` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "support",
                     *       "version": 3,
                     *       "latest": 3,
                     *       "etag": "\"3;5f1c9a7be2d04836\"",
                     *       "definition": {
                     *         "description": "Sorts tickets of customers",
                     *         "mode": "dynamic",
                     *         "goal": "Sort the ticket of {{customer}}.",
                     *         "instructions": "You sort tickets. Never promise a refund.",
                     *         "settings": {
                     *           "max_steps": 8,
                     *           "max_cost_usd": "0.05"
                     *         },
                     *         "input_schema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "customer": {
                     *               "type": "string"
                     *             },
                     *             "ticket": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "customer",
                     *             "ticket"
                     *           ]
                     *         },
                     *         "output_schema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "topic": {
                     *               "type": "string",
                     *               "enum": [
                     *                 "bill",
                     *                 "fault",
                     *                 "other"
                     *               ]
                     *             },
                     *             "urgent": {
                     *               "type": "boolean"
                     *             }
                     *           },
                     *           "required": [
                     *             "topic",
                     *             "urgent"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description It is the version you have */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["agent_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    putAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of what you have seen, or `*` for whatever there is: 412 when the task is another version by now. */
                "If-Match"?: string;
                /** @description The `ETag` of what you have, a list of them, or `*`: 304 when the task, or the file, is still that. While `retry_after_ms` is counting down the answer is always 200. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description the name of the agent: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Sorts tickets of customers",
                 *       "mode": "dynamic",
                 *       "goal": "Sort the ticket of {{customer}}.",
                 *       "instructions": "You sort tickets. Never promise a refund.",
                 *       "settings": {
                 *         "max_steps": 8,
                 *         "max_cost_usd": "0.05"
                 *       },
                 *       "input_schema": {
                 *         "type": "object",
                 *         "properties": {
                 *           "customer": {
                 *             "type": "string"
                 *           },
                 *           "ticket": {
                 *             "type": "string"
                 *           }
                 *         },
                 *         "required": [
                 *           "customer",
                 *           "ticket"
                 *         ]
                 *       },
                 *       "output_schema": {
                 *         "type": "object",
                 *         "properties": {
                 *           "topic": {
                 *             "type": "string",
                 *             "enum": [
                 *               "bill",
                 *               "fault",
                 *               "other"
                 *             ]
                 *           },
                 *           "urgent": {
                 *             "type": "boolean"
                 *           }
                 *         },
                 *         "required": [
                 *           "topic",
                 *           "urgent"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PutAgent"];
            };
        };
        responses: {
            /** @description Its next version, or the newest one, which says the same */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "support",
                     *       "version": 3,
                     *       "latest": 3,
                     *       "etag": "\"3;5f1c9a7be2d04836\"",
                     *       "definition": {
                     *         "description": "Sorts tickets of customers",
                     *         "mode": "dynamic",
                     *         "goal": "Sort the ticket of {{customer}}.",
                     *         "instructions": "You sort tickets. Never promise a refund.",
                     *         "settings": {
                     *           "max_steps": 8,
                     *           "max_cost_usd": "0.05"
                     *         },
                     *         "input_schema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "customer": {
                     *               "type": "string"
                     *             },
                     *             "ticket": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "customer",
                     *             "ticket"
                     *           ]
                     *         },
                     *         "output_schema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "topic": {
                     *               "type": "string",
                     *               "enum": [
                     *                 "bill",
                     *                 "fault",
                     *                 "other"
                     *               ]
                     *             },
                     *             "urgent": {
                     *               "type": "boolean"
                     *             }
                     *           },
                     *           "required": [
                     *             "topic",
                     *             "urgent"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A new agent */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "support",
                     *       "version": 1,
                     *       "latest": 1,
                     *       "etag": "\"1;c40b6a91d7e8f253\"",
                     *       "definition": {
                     *         "description": "Sorts tickets of customers",
                     *         "mode": "dynamic",
                     *         "goal": "Sort the ticket of {{customer}}.",
                     *         "instructions": "You sort tickets. Never promise a refund.",
                     *         "settings": {
                     *           "max_steps": 8,
                     *           "max_cost_usd": "0.05"
                     *         },
                     *         "input_schema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "customer": {
                     *               "type": "string"
                     *             },
                     *             "ticket": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "customer",
                     *             "ticket"
                     *           ]
                     *         },
                     *         "output_schema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "topic": {
                     *               "type": "string",
                     *               "enum": [
                     *                 "bill",
                     *                 "fault",
                     *                 "other"
                     *               ]
                     *             },
                     *             "urgent": {
                     *               "type": "boolean"
                     *             }
                     *           },
                     *           "required": [
                     *             "topic",
                     *             "urgent"
                     *           ]
                     *         }
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            409: components["responses"]["too_many_agents"];
            412: components["responses"]["agent_changed"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["put.unsupported_media_type"];
            422: components["responses"]["validation_failed.llm_not_configured.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: {
                /** @description true: also while tasks of it are open; they keep what it said */
                force?: boolean;
            };
            header?: {
                /** @description The `ETag` of what you have seen, or `*` for whatever there is: 412 when the task is another version by now. */
                "If-Match"?: string;
            };
            path: {
                /** @description the name of the agent: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["agent_not_found"];
            409: components["responses"]["agent_in_use"];
            412: components["responses"]["agent_changed"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: never;
            path: {
                /** @description the name of the agent: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of versions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "support",
                     *           "version": 3,
                     *           "latest": 3,
                     *           "etag": "\"3;5f1c9a7be2d04836\"",
                     *           "definition": {
                     *             "description": "Sorts tickets of customers",
                     *             "mode": "dynamic",
                     *             "goal": "Sort the ticket of {{customer}}.",
                     *             "instructions": "You sort tickets. Never promise a refund.",
                     *             "settings": {
                     *               "max_steps": 8,
                     *               "max_cost_usd": "0.05"
                     *             },
                     *             "input_schema": {
                     *               "type": "object",
                     *               "properties": {
                     *                 "customer": {
                     *                   "type": "string"
                     *                 },
                     *                 "ticket": {
                     *                   "type": "string"
                     *                 }
                     *               },
                     *               "required": [
                     *                 "customer",
                     *                 "ticket"
                     *               ]
                     *             },
                     *             "output_schema": {
                     *               "type": "object",
                     *               "properties": {
                     *                 "topic": {
                     *                   "type": "string",
                     *                   "enum": [
                     *                     "bill",
                     *                     "fault",
                     *                     "other"
                     *                   ]
                     *                 },
                     *                 "urgent": {
                     *                   "type": "boolean"
                     *                 }
                     *               },
                     *               "required": [
                     *                 "topic",
                     *                 "urgent"
                     *               ]
                     *             }
                     *           },
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["agent_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    createAgentTask: {
        parameters: {
            query?: {
                /** @description `settings`: all settings of the task, also those that its mode does not heed */
                include?: "settings";
            };
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the name of the agent for its newest version, or `name@version` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "input": {
                 *         "customer": "Ada",
                 *         "ticket": "My bill of May came twice."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentTask"];
                "application/x-www-form-urlencoded": {
                    /** @description the input of the agent, as a JSON object; any other text stands instead of `goal` */
                    input?: string;
                    /** @description instead of `goal` */
                    Body?: string;
                    /** @description instead of `goal` */
                    text?: string;
                    /** @description in place of the goal of the agent */
                    goal?: string;
                    /**
                     * @description language of prompts and texts; by the script of the goal when left out
                     * @enum {string}
                     */
                    locale?: "en" | "zh";
                    /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
                    timezone?: string;
                    /** @description what you call the task; nothing is decided by it */
                    title?: string;
                    /**
                     * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
                     * @enum {string}
                     */
                    drive?: "manual" | "background";
                    /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
                    callback_url?: string;
                    /** @description seconds the task is kept after it has ended; default 2592000 */
                    idle_ttl_s?: number;
                    /** @description rounds of the slice at most; 0 only plans; default 1 */
                    rounds?: number;
                    /** @description no round begins after this time, in ms; default 25000 */
                    max_ms?: number;
                };
                "multipart/form-data": {
                    /** @description all fields as JSON, in place of the others */
                    task?: string;
                    /** @description the input of the agent, as a JSON object; any other text stands instead of `goal` */
                    input?: string;
                    /** @description instead of `goal` */
                    Body?: string;
                    /** @description instead of `goal` */
                    text?: string;
                    /** @description in place of the goal of the agent */
                    goal?: string;
                    /**
                     * @description language of prompts and texts; by the script of the goal when left out
                     * @enum {string}
                     */
                    locale?: "en" | "zh";
                    /** @description IANA zone in which dates of the goal are meant; default: TIMEZONE */
                    timezone?: string;
                    /** @description what you call the task; nothing is decided by it */
                    title?: string;
                    /**
                     * @description background: answered at once as `queued`, and the service works it off by itself; `rounds` is then ignored; default "manual"
                     * @enum {string}
                     */
                    drive?: "manual" | "background";
                    /** @description https, and a host that the internet knows; told of each change to input_required, waiting_external, paused, completed, failed, canceled (Standard Webhooks) */
                    callback_url?: string;
                    /** @description seconds the task is kept after it has ended; default 2592000 */
                    idle_ttl_s?: number;
                    /** @description rounds of the slice at most; 0 only plans; default 1 */
                    rounds?: number;
                    /** @description no round begins after this time, in ms; default 25000 */
                    max_ms?: number;
                    /** @description under any name, behind the fields */
                    files?: string[];
                };
                "text/plain": string;
            };
        };
        responses: {
            /** @description The new task */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "mode": "plan_execute",
                     *       "goal": "Buy milk tomorrow",
                     *       "locale": "en",
                     *       "timezone": "Europe/Berlin",
                     *       "status": "running",
                     *       "stop_reason": null,
                     *       "plan": {
                     *         "revision": 1,
                     *         "cursor": 0,
                     *         "source": "plan",
                     *         "finished_count": 0,
                     *         "items": [
                     *           {
                     *             "id": "step_1",
                     *             "title": "Add \"buy milk\" to the todo list",
                     *             "description": "",
                     *             "expected_output": null,
                     *             "status": "running",
                     *             "result": null,
                     *             "progress": null
                     *           }
                     *         ],
                     *         "finished": []
                     *       },
                     *       "budget": {
                     *         "unit": "steps",
                     *         "used": 2,
                     *         "max": 20,
                     *         "remaining": 18,
                     *         "tokens": {
                     *           "used": 412,
                     *           "max": null,
                     *           "kinds": {
                     *             "input": 310,
                     *             "cache_read": 0,
                     *             "cache_write": 0,
                     *             "image": 0,
                     *             "output": 102,
                     *             "reasoning": 0
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "used": "0.000000",
                     *           "max": null
                     *         },
                     *         "seconds": {
                     *           "used": 1,
                     *           "max": null
                     *         }
                     *       },
                     *       "step_count": 2,
                     *       "counters": {
                     *         "model_calls": 2,
                     *         "actions": 1,
                     *         "successful_actions": 1,
                     *         "failed_actions": 0,
                     *         "replans": 0,
                     *         "iterations": 0
                     *       },
                     *       "pending": null,
                     *       "result": null,
                     *       "error": null,
                     *       "retry_after_ms": null,
                     *       "settings": {
                     *         "max_steps": 20,
                     *         "max_tokens": null,
                     *         "max_cost_usd": null,
                     *         "max_seconds": null,
                     *         "plan_retries": 2,
                     *         "strict_replies": false,
                     *         "calls": "exact",
                     *         "failure_limit": 2,
                     *         "max_clarifications": 6,
                     *         "observation_char_limit": 10000,
                     *         "observation_history_limit": 100,
                     *         "cancel_phrase": "取消当前任务",
                     *         "continue_grants": true,
                     *         "model": null,
                     *         "models": {},
                     *         "temperature": 0,
                     *         "reasoning_effort": null,
                     *         "phases": {},
                     *         "model_timeout_s": 60,
                     *         "model_silence_s": 60,
                     *         "max_output_tokens": 4096,
                     *         "question_ttl_s": 604800,
                     *         "on_question_expired": "pause",
                     *         "approve": "none",
                     *         "dataset": null,
                     *         "report_timeout_s": 3600,
                     *         "search_top_k": 3,
                     *         "respect_robots": true,
                     *         "schedule_window_days": 31,
                     *         "conflict_preview_days": 31
                     *       },
                     *       "tools": [
                     *         "add_todo",
                     *         "update_todo",
                     *         "complete_todo",
                     *         "delete_todo",
                     *         "list_todos",
                     *         "add_event",
                     *         "update_event",
                     *         "delete_event",
                     *         "list_events",
                     *         "todo",
                     *         "schedule",
                     *         "internet_search",
                     *         "fetch_url",
                     *         "read_file",
                     *         "write_file",
                     *         "list_files",
                     *         "think",
                     *         "read_dataset",
                     *         "run_code"
                     *       ],
                     *       "drive": "manual",
                     *       "callback_url": null,
                     *       "metadata": {
                     *         "source": "curl"
                     *       },
                     *       "title": null,
                     *       "agent": {
                     *         "name": "support",
                     *         "version": 3
                     *       },
                     *       "forked_from": null,
                     *       "version": 5,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:02.000Z",
                     *       "last_thought": {
                     *         "phase": "thought",
                     *         "decision": "continue",
                     *         "text": "Add \"buy milk\" to the todo list",
                     *         "at": "2026-03-02T09:00:01.000Z"
                     *       },
                     *       "handover": null,
                     *       "slice": {
                     *         "advanced": true,
                     *         "rounds": 1,
                     *         "events": [
                     *           {
                     *             "seq": 1,
                     *             "type": "plan_created",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "items": [
                     *                 {
                     *                   "id": "step_1",
                     *                   "title": "Add \"buy milk\" to the todo list"
                     *                 }
                     *               ],
                     *               "cursor": 0,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 2,
                     *             "type": "item_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "title": "Add \"buy milk\" to the todo list",
                     *               "index": 0,
                     *               "total": 1,
                     *               "journal_seq": 2,
                     *               "step_count": 0
                     *             }
                     *           },
                     *           {
                     *             "seq": 3,
                     *             "type": "thought_decided",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "phase": "thought",
                     *               "item_id": "step_1",
                     *               "decision": "continue",
                     *               "text": "Add \"buy milk\" to the todo list",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 4,
                     *             "type": "action_started",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "input": "/todo add buy milk",
                     *               "journal_seq": 3,
                     *               "step_count": 1
                     *             }
                     *           },
                     *           {
                     *             "seq": 5,
                     *             "type": "action_finished",
                     *             "at": "2026-03-02T09:00:01.000Z",
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "payload": {
                     *               "item_id": "step_1",
                     *               "tool": "todo",
                     *               "ok": true,
                     *               "status": "success",
                     *               "text": "Added #1: buy milk",
                     *               "journal_seq": 4,
                     *               "step_count": 2
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "input": {
                     *         "customer": "Ada",
                     *         "ticket": "My bill of May came twice."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found.agent_not_found"];
            409: components["responses"]["request_in_progress.task_busy.lease_lost.too_many_files.file_reserved"];
            413: components["responses"]["payload_too_large.file_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused.llm_not_configured.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before: the name of its last agent */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agents */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "support",
                     *           "version": 3,
                     *           "latest": 3,
                     *           "etag": "\"3;5f1c9a7be2d04836\"",
                     *           "definition": {
                     *             "description": "Sorts tickets of customers",
                     *             "mode": "dynamic",
                     *             "goal": "Sort the ticket of {{customer}}.",
                     *             "instructions": "You sort tickets. Never promise a refund.",
                     *             "settings": {
                     *               "max_steps": 8,
                     *               "max_cost_usd": "0.05"
                     *             },
                     *             "input_schema": {
                     *               "type": "object",
                     *               "properties": {
                     *                 "customer": {
                     *                   "type": "string"
                     *                 },
                     *                 "ticket": {
                     *                   "type": "string"
                     *                 }
                     *               },
                     *               "required": [
                     *                 "customer",
                     *                 "ticket"
                     *               ]
                     *             },
                     *             "output_schema": {
                     *               "type": "object",
                     *               "properties": {
                     *                 "topic": {
                     *                   "type": "string",
                     *                   "enum": [
                     *                     "bill",
                     *                     "fault",
                     *                     "other"
                     *                   ]
                     *                 },
                     *                 "urgent": {
                     *                   "type": "boolean"
                     *                 }
                     *               },
                     *               "required": [
                     *                 "topic",
                     *                 "urgent"
                     *               ]
                     *             }
                     *           },
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the secret: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret, without its value */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "orders",
                     *       "hosts": [
                     *         "api.example.com"
                     *       ],
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "last_used_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Secret"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["secret_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    putSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the secret: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "sk-4f0c2b71d8",
                 *       "hosts": [
                 *         "api.example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PutSecret"];
            };
        };
        responses: {
            /** @description It takes the place of the one that was there */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "orders",
                     *       "hosts": [
                     *         "api.example.com"
                     *       ],
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "last_used_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Secret"];
                };
            };
            /** @description A new secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "orders",
                     *       "hosts": [
                     *         "api.example.com"
                     *       ],
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "last_used_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            409: components["responses"]["too_many_secrets"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["put.unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the secret: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["secret_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before: the name of its last secret */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of secrets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "orders",
                     *           "hosts": [
                     *             "api.example.com"
                     *           ],
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "updated_at": "2026-03-02T09:00:00.000Z",
                     *           "last_used_at": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SecretPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "morning",
                     *       "cron": "0 9 * * MON-FRI",
                     *       "every_s": null,
                     *       "timezone": "Europe/Berlin",
                     *       "task": {
                     *         "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                     *         "mode": "plan_execute",
                     *         "settings": {
                     *           "max_steps": 20
                     *         }
                     *       },
                     *       "overlap": "skip",
                     *       "missed": "skip",
                     *       "daily": {
                     *         "tokens": 200000,
                     *         "cost_usd": null
                     *       },
                     *       "paused": false,
                     *       "next": [
                     *         "2026-03-03T08:00:00.000Z",
                     *         "2026-03-04T08:00:00.000Z",
                     *         "2026-03-05T08:00:00.000Z",
                     *         "2026-03-06T08:00:00.000Z",
                     *         "2026-03-09T08:00:00.000Z"
                     *       ],
                     *       "waiting": [],
                     *       "last_run": {
                     *         "seq": 12,
                     *         "at": "2026-03-02T08:00:00.000Z",
                     *         "trigger": "tick",
                     *         "outcome": "created",
                     *         "reason": null,
                     *         "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *         "ticks": 1,
                     *         "first_at": "2026-03-02T08:00:00.000Z",
                     *         "noted_at": "2026-03-02T08:00:00.412Z"
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["schedule_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    putSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "0 9 * * MON-FRI",
                 *       "timezone": "Europe/Berlin",
                 *       "task": {
                 *         "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                 *         "mode": "plan_execute",
                 *         "settings": {
                 *           "max_steps": 20
                 *         }
                 *       },
                 *       "overlap": "skip",
                 *       "daily": {
                 *         "tokens": 200000
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PutSchedule"];
            };
        };
        responses: {
            /** @description It takes the place of the one that was there */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "morning",
                     *       "cron": "0 9 * * MON-FRI",
                     *       "every_s": null,
                     *       "timezone": "Europe/Berlin",
                     *       "task": {
                     *         "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                     *         "mode": "plan_execute",
                     *         "settings": {
                     *           "max_steps": 20
                     *         }
                     *       },
                     *       "overlap": "skip",
                     *       "missed": "skip",
                     *       "daily": {
                     *         "tokens": 200000,
                     *         "cost_usd": null
                     *       },
                     *       "paused": false,
                     *       "next": [
                     *         "2026-03-03T08:00:00.000Z",
                     *         "2026-03-04T08:00:00.000Z",
                     *         "2026-03-05T08:00:00.000Z",
                     *         "2026-03-06T08:00:00.000Z",
                     *         "2026-03-09T08:00:00.000Z"
                     *       ],
                     *       "waiting": [],
                     *       "last_run": {
                     *         "seq": 12,
                     *         "at": "2026-03-02T08:00:00.000Z",
                     *         "trigger": "tick",
                     *         "outcome": "created",
                     *         "reason": null,
                     *         "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *         "ticks": 1,
                     *         "first_at": "2026-03-02T08:00:00.000Z",
                     *         "noted_at": "2026-03-02T08:00:00.412Z"
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description A new schedule */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "morning",
                     *       "cron": "0 9 * * MON-FRI",
                     *       "every_s": null,
                     *       "timezone": "Europe/Berlin",
                     *       "task": {
                     *         "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                     *         "mode": "plan_execute",
                     *         "settings": {
                     *           "max_steps": 20
                     *         }
                     *       },
                     *       "overlap": "skip",
                     *       "missed": "skip",
                     *       "daily": {
                     *         "tokens": 200000,
                     *         "cost_usd": null
                     *       },
                     *       "paused": false,
                     *       "next": [
                     *         "2026-03-03T08:00:00.000Z",
                     *         "2026-03-04T08:00:00.000Z",
                     *         "2026-03-05T08:00:00.000Z",
                     *         "2026-03-06T08:00:00.000Z",
                     *         "2026-03-09T08:00:00.000Z"
                     *       ],
                     *       "waiting": [],
                     *       "last_run": null,
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            409: components["responses"]["too_many_schedules"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["put.unsupported_media_type"];
            422: components["responses"]["validation_failed.llm_not_configured.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["schedule_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PauseSchedule"];
            };
        };
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "morning",
                     *       "cron": "0 9 * * MON-FRI",
                     *       "every_s": null,
                     *       "timezone": "Europe/Berlin",
                     *       "task": {
                     *         "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                     *         "mode": "plan_execute",
                     *         "settings": {
                     *           "max_steps": 20
                     *         }
                     *       },
                     *       "overlap": "skip",
                     *       "missed": "skip",
                     *       "daily": {
                     *         "tokens": 200000,
                     *         "cost_usd": null
                     *       },
                     *       "paused": true,
                     *       "next": [],
                     *       "waiting": [],
                     *       "last_run": {
                     *         "seq": 12,
                     *         "at": "2026-03-02T08:00:00.000Z",
                     *         "trigger": "tick",
                     *         "outcome": "created",
                     *         "reason": null,
                     *         "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *         "ticks": 1,
                     *         "first_at": "2026-03-02T08:00:00.000Z",
                     *         "noted_at": "2026-03-02T08:00:00.412Z"
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["schedule_not_found"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ResumeSchedule"];
            };
        };
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "morning",
                     *       "cron": "0 9 * * MON-FRI",
                     *       "every_s": null,
                     *       "timezone": "Europe/Berlin",
                     *       "task": {
                     *         "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                     *         "mode": "plan_execute",
                     *         "settings": {
                     *           "max_steps": 20
                     *         }
                     *       },
                     *       "overlap": "skip",
                     *       "missed": "skip",
                     *       "daily": {
                     *         "tokens": 200000,
                     *         "cost_usd": null
                     *       },
                     *       "paused": false,
                     *       "next": [
                     *         "2026-03-03T08:00:00.000Z",
                     *         "2026-03-04T08:00:00.000Z",
                     *         "2026-03-05T08:00:00.000Z",
                     *         "2026-03-06T08:00:00.000Z",
                     *         "2026-03-09T08:00:00.000Z"
                     *       ],
                     *       "waiting": [],
                     *       "last_run": {
                     *         "seq": 12,
                     *         "at": "2026-03-02T08:00:00.000Z",
                     *         "trigger": "tick",
                     *         "outcome": "created",
                     *         "reason": null,
                     *         "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *         "ticks": 1,
                     *         "first_at": "2026-03-02T08:00:00.000Z",
                     *         "noted_at": "2026-03-02T08:00:00.412Z"
                     *       },
                     *       "created_at": "2026-03-01T09:00:00.000Z",
                     *       "updated_at": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["schedule_not_found"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RunSchedule"];
            };
        };
        responses: {
            /** @description The run, with its task */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seq": 12,
                     *       "at": "2026-03-02T08:00:00.000Z",
                     *       "trigger": "request",
                     *       "outcome": "created",
                     *       "reason": null,
                     *       "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "ticks": 1,
                     *       "first_at": "2026-03-02T08:00:00.000Z",
                     *       "noted_at": "2026-03-02T08:00:00.412Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["schedule_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused.llm_not_configured.model_not_budgetable"];
            429: components["responses"]["rate_limited.quota_exceeded.schedule_budget_exceeded.tenant_budget_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: never;
            path: {
                /** @description the name of the schedule: 1 to 64 of A-Z a-z 0-9 _ - */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "seq": 12,
                     *           "at": "2026-03-02T08:00:00.000Z",
                     *           "trigger": "tick",
                     *           "outcome": "created",
                     *           "reason": null,
                     *           "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *           "ticks": 1,
                     *           "first_at": "2026-03-02T08:00:00.000Z",
                     *           "noted_at": "2026-03-02T08:00:00.412Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleRunPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["schedule_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before: the name of its last schedule */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of schedules */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "morning",
                     *           "cron": "0 9 * * MON-FRI",
                     *           "every_s": null,
                     *           "timezone": "Europe/Berlin",
                     *           "task": {
                     *             "goal": "Add the todo \"check the reports of {{scheduled_date}}\"",
                     *             "mode": "plan_execute",
                     *             "settings": {
                     *               "max_steps": 20
                     *             }
                     *           },
                     *           "overlap": "skip",
                     *           "missed": "skip",
                     *           "daily": {
                     *             "tokens": 200000,
                     *             "cost_usd": null
                     *           },
                     *           "paused": false,
                     *           "next": [
                     *             "2026-03-03T08:00:00.000Z",
                     *             "2026-03-04T08:00:00.000Z",
                     *             "2026-03-05T08:00:00.000Z",
                     *             "2026-03-06T08:00:00.000Z",
                     *             "2026-03-09T08:00:00.000Z"
                     *           ],
                     *           "waiting": [],
                     *           "last_run": {
                     *             "seq": 12,
                     *             "at": "2026-03-02T08:00:00.000Z",
                     *             "trigger": "tick",
                     *             "outcome": "created",
                     *             "reason": null,
                     *             "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *             "ticks": 1,
                     *             "first_at": "2026-03-02T08:00:00.000Z",
                     *             "noted_at": "2026-03-02T08:00:00.412Z"
                     *           },
                     *           "created_at": "2026-03-01T09:00:00.000Z",
                     *           "updated_at": "2026-03-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    runCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "command": "/todo add buy milk"
                 *     }
                 */
                "application/json": components["schemas"]["RunCommand"];
                "application/x-www-form-urlencoded": {
                    /** @description instead of `command` */
                    input?: string;
                    /** @description instead of `command` */
                    Body?: string;
                    /** @description instead of `command` */
                    text?: string;
                    /** @description a slash command such as /todo list; see /help */
                    command?: string;
                    /** @description the task that the cancel phrase cancels */
                    task_id?: string;
                };
                "text/plain": string;
            };
        };
        responses: {
            /** @description What the command answered */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "todo_added",
                     *       "ok": true,
                     *       "text": "Added #1: buy milk",
                     *       "rows": [
                     *         {
                     *           "id": 1,
                     *           "status": "open",
                     *           "tag": "default",
                     *           "priority": 0,
                     *           "content": "buy milk"
                     *         }
                     *       ],
                     *       "data": {
                     *         "id": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CommandResult"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description `all`: each that is on record */
                status?: "pending" | "delivered" | "failed" | "gone" | "all";
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "task_Zk3vQ8mT1xY7bN5cR2wH_12",
                     *           "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *           "type": "task.completed",
                     *           "status": "failed",
                     *           "attempts": 10,
                     *           "detail": "HTTP 503",
                     *           "created_at": "2026-03-02T09:00:02.000Z",
                     *           "updated_at": "2026-03-05T12:36:41.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://app.example.com/hooks/agent"
                 *     }
                 */
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description What came back */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "test_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "ok": false,
                     *       "status": 401,
                     *       "detail": "HTTP 401",
                     *       "duration_ms": 84,
                     *       "body": "{\"error\":\"bad signature\"}",
                     *       "body_cut": false
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Redeliver"];
            };
        };
        responses: {
            /** @description The delivery, to be sent again */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "task_Zk3vQ8mT1xY7bN5cR2wH_12",
                     *       "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "type": "task.completed",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "detail": "HTTP 503",
                     *       "created_at": "2026-03-02T09:00:02.000Z",
                     *       "updated_at": "2026-03-05T12:36:41.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["delivery_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description as `answer_url` has it; it is a key, so keep it out of logs */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            404: components["responses"]["link.link_not_found"];
            410: components["responses"]["link.expired"];
            429: components["responses"]["link.rate_limited"];
            500: components["responses"]["link.state_unreadable.internal_error"];
            503: components["responses"]["link.not_configured.unavailable.shutting_down"];
            507: components["responses"]["link.storage_full"];
        };
    };
    postAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description as `answer_url` has it; it is a key, so keep it out of logs */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "input": "tomorrow at 3pm"
                 *     }
                 */
                "application/json": components["schemas"]["AnswerQuestion"];
                "application/x-www-form-urlencoded": {
                    /** @description the answer */
                    input?: string;
                    /** @description instead of `input` */
                    Body?: string;
                    /** @description instead of `input` */
                    text?: string;
                    /** @description instead of `input` */
                    answer?: string;
                };
                "text/plain": string;
            };
        };
        responses: {
            /** @description It is recorded */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recorded": "tomorrow at 3pm"
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedAnswer"];
                };
            };
            400: components["responses"]["link.invalid_json.unreadable_body"];
            404: components["responses"]["link.link_not_found"];
            409: components["responses"]["link.question_settled.request_in_progress.task_busy"];
            410: components["responses"]["link.expired"];
            413: components["responses"]["link.payload_too_large"];
            415: components["responses"]["link.unsupported_media_type"];
            422: components["responses"]["link.validation_failed.idempotency_key_reused"];
            429: components["responses"]["link.rate_limited.quota_exceeded"];
            500: components["responses"]["link.state_unreadable.internal_error"];
            503: components["responses"]["link.not_configured.unavailable.shutting_down"];
            507: components["responses"]["link.storage_full"];
        };
    };
    listDelegations: {
        parameters: {
            query?: {
                status?: "pending" | "claimed" | "reported" | "expired" | "canceled";
                /** @description the pool that a task names as `worker_pool`; left out: the default pool. An unknown one is empty */
                pool?: string;
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: {
                /** @description `wait=N`: when the task is busy, wait up to N seconds (at most 30) for it instead of being refused at once; when no delegation is pending, for one. The answer has `Preference-Applied: wait=N`. Other preferences are ignored. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of delegations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "delegation_Zk3vQ8mT1xY7bN5cR2wH_4",
                     *           "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *           "item_id": "step_1",
                     *           "pool": "gpu",
                     *           "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                     *           "command_type": "new",
                     *           "session_id": "auto",
                     *           "deadline": "2026-03-02T09:10:00.000Z",
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "budget": {
                     *             "tokens": 40000,
                     *             "cost_usd": "0.250000",
                     *             "seconds": 600
                     *           },
                     *           "status": "pending",
                     *           "report": null,
                     *           "claim": null,
                     *           "report_url": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DelegationPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listPools: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of pools */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": null,
                     *           "pending": 0,
                     *           "claimed": 1,
                     *           "waiting": 3
                     *         },
                     *         {
                     *           "name": "gpu",
                     *           "pending": 2,
                     *           "claimed": 4,
                     *           "waiting": 0
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PoolPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getDelegation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the delegation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delegation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "delegation_Zk3vQ8mT1xY7bN5cR2wH_4",
                     *       "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "item_id": "step_1",
                     *       "pool": "gpu",
                     *       "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                     *       "command_type": "new",
                     *       "session_id": "auto",
                     *       "deadline": "2026-03-02T09:10:00.000Z",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "budget": {
                     *         "tokens": 40000,
                     *         "cost_usd": "0.250000",
                     *         "seconds": 600
                     *       },
                     *       "status": "claimed",
                     *       "report": null,
                     *       "claim": {
                     *         "worker": "builder-3",
                     *         "expires_at": "2026-03-02T09:05:00.000Z"
                     *       },
                     *       "report_url": "https://agent.example/reports/WzEsInJlcG9ydCIsImFjbWUi"
                     *     }
                     */
                    "application/json": components["schemas"]["Delegation"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.insufficient_scope.tenant_disabled"];
            404: components["responses"]["delegation_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    claimDelegation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the delegation */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "worker": "builder-3",
                 *       "lease_s": 300
                 *     }
                 */
                "application/json": components["schemas"]["ClaimDelegation"];
            };
        };
        responses: {
            /** @description The delegation, claimed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "delegation_Zk3vQ8mT1xY7bN5cR2wH_4",
                     *       "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "item_id": "step_1",
                     *       "pool": "gpu",
                     *       "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                     *       "command_type": "new",
                     *       "session_id": "auto",
                     *       "deadline": "2026-03-02T09:10:00.000Z",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "budget": {
                     *         "tokens": 40000,
                     *         "cost_usd": "0.250000",
                     *         "seconds": 600
                     *       },
                     *       "status": "claimed",
                     *       "report": null,
                     *       "claim": {
                     *         "worker": "builder-3",
                     *         "expires_at": "2026-03-02T09:05:00.000Z"
                     *       },
                     *       "report_url": "https://agent.example/reports/WzEsInJlcG9ydCIsImFjbWUi"
                     *     }
                     */
                    "application/json": components["schemas"]["Delegation"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.insufficient_scope.tenant_disabled"];
            404: components["responses"]["delegation_not_found"];
            409: components["responses"]["delegation_claimed.already_reported.delegation_expired.delegation_canceled.request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    reportDelegation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the delegation */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "SUCCESS",
                 *       "session_id": "session-7f3a",
                 *       "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                 *       "results": "The page is built, and its tests pass.",
                 *       "pitfalls": "The old bundler does not know the new syntax.",
                 *       "text": "Done. See the branch.",
                 *       "spent": {
                 *         "tokens": 31200,
                 *         "cost_usd": "0.18",
                 *         "seconds": 410
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SendReport"];
                "text/markdown": string;
                "text/plain": string;
            };
        };
        responses: {
            /** @description The delegation with its report */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "delegation_Zk3vQ8mT1xY7bN5cR2wH_4",
                     *       "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                     *       "command_type": "new",
                     *       "session_id": "auto",
                     *       "deadline": "2026-03-02T09:10:00.000Z",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "budget": {
                     *         "tokens": 40000,
                     *         "cost_usd": "0.250000",
                     *         "seconds": 600
                     *       },
                     *       "status": "reported",
                     *       "report": {
                     *         "status": "SUCCESS",
                     *         "session_id": "session-7f3a",
                     *         "results": "The page is built, and its tests pass.",
                     *         "pitfalls": "The old bundler does not know the new syntax.",
                     *         "next_steps": null,
                     *         "text": "Done. See the branch."
                     *       },
                     *       "report_url": null,
                     *       "task_id": "task_Zk3vQ8mT1xY7bN5cR2wH",
                     *       "item_id": "step_1",
                     *       "pool": "gpu",
                     *       "claim": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delegation"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.insufficient_scope.tenant_disabled"];
            404: components["responses"]["delegation_not_found"];
            409: components["responses"]["wrong_command.already_reported.delegation_expired.delegation_canceled.request_in_progress.task_busy"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    postReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description as `report_url` has it; it is a key, so keep it out of logs */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "SUCCESS",
                 *       "session_id": "session-7f3a",
                 *       "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                 *       "results": "The page is built, and its tests pass.",
                 *       "pitfalls": "The old bundler does not know the new syntax.",
                 *       "text": "Done. See the branch.",
                 *       "spent": {
                 *         "tokens": 31200,
                 *         "cost_usd": "0.18",
                 *         "seconds": 410
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SendReport"];
                "text/markdown": string;
                "text/plain": string;
            };
        };
        responses: {
            /** @description The delegation with its report */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "delegation_Zk3vQ8mT1xY7bN5cR2wH_4",
                     *       "command_id": "task-9d3f2c1a-5b7e-8c4d-9a6f-0e1b2c3d4e5f",
                     *       "command_type": "new",
                     *       "session_id": "auto",
                     *       "deadline": "2026-03-02T09:10:00.000Z",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "budget": {
                     *         "tokens": 40000,
                     *         "cost_usd": "0.250000",
                     *         "seconds": 600
                     *       },
                     *       "status": "reported",
                     *       "report": {
                     *         "status": "SUCCESS",
                     *         "session_id": "session-7f3a",
                     *         "results": "The page is built, and its tests pass.",
                     *         "pitfalls": "The old bundler does not know the new syntax.",
                     *         "next_steps": null,
                     *         "text": "Done. See the branch."
                     *       },
                     *       "report_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReportedDelegation"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            404: components["responses"]["link_not_found"];
            409: components["responses"]["wrong_command.already_reported.delegation_expired.delegation_canceled.request_in_progress.task_busy"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getCalendar: {
        parameters: {
            query?: {
                /** @description of the link in the header `Link`, instead of a key */
                token?: string;
            };
            header?: {
                /** @description The `ETag` of what you have, a list of them, or `*`: 304 when the task, or the file, is still that. While `retry_after_ms` is counting down the answer is always 200. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calendar */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": unknown;
                };
            };
            /** @description It is what you have */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "fast",
                     *           "endpoint": "fast",
                     *           "wire": "chat",
                     *           "model": "gpt-5-mini",
                     *           "default": true,
                     *           "prices": {
                     *             "version": "6a09e667",
                     *             "input": "0.250000",
                     *             "output": "2.000000",
                     *             "cache_read": "0.025000"
                     *           },
                     *           "fallback": [
                     *             "strong"
                     *           ],
                     *           "learned": {
                     *             "form": "json_schema",
                     *             "refused": [
                     *               "max_tokens",
                     *               "temperature"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "name": "strong",
                     *           "endpoint": "strong",
                     *           "wire": "messages",
                     *           "model": "claude-sonnet-4-5",
                     *           "default": false,
                     *           "prices": {
                     *             "version": "genai-prices@0.1.8",
                     *             "input": "3.000000",
                     *             "output": "15.000000",
                     *             "cache_read": "0.300000",
                     *             "cache_write": "3.750000",
                     *             "tiers": [
                     *               {
                     *                 "above": 200000,
                     *                 "input": "6.000000",
                     *                 "output": "22.500000",
                     *                 "cache_read": "0.600000",
                     *                 "cache_write": "7.500000"
                     *               }
                     *             ]
                     *           },
                     *           "fallback": [],
                     *           "learned": null
                     *         }
                     *       ],
                     *       "any_name": false
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-11-21T12:00:00.000Z",
                     *       "tenant": {
                     *         "rate_per_minute": 600,
                     *         "open_tasks": {
                     *           "max": 1000,
                     *           "used": 12,
                     *           "remaining": 988
                     *         },
                     *         "stored_bytes": {
                     *           "max": 1073741824,
                     *           "used": 5242880,
                     *           "remaining": 1068498944
                     *         },
                     *         "tokens": {
                     *           "day": {
                     *             "max": 2000000,
                     *             "used": 350000,
                     *             "remaining": 1650000,
                     *             "resets_at": "2026-11-22T00:00:00.000Z"
                     *           },
                     *           "month": {
                     *             "max": 30000000,
                     *             "used": 8400000,
                     *             "remaining": 21600000,
                     *             "resets_at": "2026-12-01T00:00:00.000Z"
                     *           }
                     *         },
                     *         "cost_usd": {
                     *           "day": null,
                     *           "month": {
                     *             "max": "500.000000",
                     *             "used": "123.450000",
                     *             "remaining": "376.550000",
                     *             "resets_at": "2026-12-01T00:00:00.000Z"
                     *           }
                     *         },
                     *         "models": null,
                     *         "hosts": [
                     *           "api.example.com",
                     *           "*.example.org"
                     *         ]
                     *       },
                     *       "key": {
                     *         "name": "key_5sQb0d3rXk2v",
                     *         "rate_per_minute": 60,
                     *         "open_tasks": {
                     *           "max": 10,
                     *           "used": 2,
                     *           "remaining": 8
                     *         },
                     *         "tokens": {
                     *           "day": {
                     *             "max": 100000,
                     *             "used": 40000,
                     *             "remaining": 60000,
                     *             "resets_at": "2026-11-22T00:00:00.000Z"
                     *           },
                     *           "month": null
                     *         },
                     *         "cost_usd": {
                     *           "day": null,
                     *           "month": null
                     *         },
                     *         "models": [
                     *           "fast"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "internet_search",
                     *           "description": "Searches the web.",
                     *           "parameters": {
                     *             "type": "object",
                     *             "properties": {
                     *               "query": {
                     *                 "type": "string"
                     *               }
                     *             },
                     *             "required": [
                     *               "query"
                     *             ]
                     *           },
                     *           "modes": [
                     *             "plan_execute",
                     *             "dynamic",
                     *             "session"
                     *           ],
                     *           "read_only": true
                     *         }
                     *       ],
                     *       "sources": [
                     *         "signed",
                     *         "http",
                     *         "mcp",
                     *         "openapi"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    previewTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tools": [
                 *         {
                 *           "mcp": "https://tickets.example.com/mcp",
                 *           "headers": {
                 *             "authorization": "Bearer secret:tickets"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PreviewTools"];
            };
        };
        responses: {
            /** @description The tools, and what became of each source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "tickets.create",
                     *           "description": "Makes a ticket.",
                     *           "parameters": {
                     *             "type": "object",
                     *             "properties": {
                     *               "title": {
                     *                 "type": "string"
                     *               }
                     *             },
                     *             "required": [
                     *               "title"
                     *             ]
                     *           },
                     *           "origin": "mcp",
                     *           "source": "tickets",
                     *           "method": null,
                     *           "repeatable": false,
                     *           "read_only": false,
                     *           "destructive": false
                     *         }
                     *       ],
                     *       "sources": [
                     *         {
                     *           "name": "tickets",
                     *           "kind": "mcp",
                     *           "state": "listed",
                     *           "tools": 1,
                     *           "changed": false,
                     *           "digest": "9f86d081884c7d65",
                     *           "notes": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TaskTools"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tools": [
                 *         {
                 *           "mcp": "https://tickets.example.com/mcp",
                 *           "headers": {
                 *             "authorization": "Bearer secret:tickets"
                 *           }
                 *         }
                 *       ],
                 *       "name": "tickets.create",
                 *       "arguments": {
                 *         "title": "The printer is out of paper"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CallTool"];
            };
        };
        responses: {
            /** @description The result as a model would see it, or why the call is held */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "code": "success",
                     *       "text": "{\"number\":7}"
                     *     }
                     */
                    "application/json": components["schemas"]["ToolTrial"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listTaskTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the task */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "tickets.create",
                     *           "description": "Makes a ticket.",
                     *           "parameters": {
                     *             "type": "object",
                     *             "properties": {
                     *               "title": {
                     *                 "type": "string"
                     *               }
                     *             },
                     *             "required": [
                     *               "title"
                     *             ]
                     *           },
                     *           "origin": "mcp",
                     *           "source": "tickets",
                     *           "method": null,
                     *           "repeatable": false,
                     *           "read_only": false,
                     *           "destructive": false
                     *         }
                     *       ],
                     *       "sources": [
                     *         {
                     *           "name": "tickets",
                     *           "kind": "mcp",
                     *           "state": "listed",
                     *           "tools": 1,
                     *           "changed": false,
                     *           "digest": "9f86d081884c7d65",
                     *           "notes": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TaskTools"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["task_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["state_unreadable.internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to sign in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "login": {
                     *         "kind": "oidc",
                     *         "issuer": "https://login.example.com/",
                     *         "client_id": "loop-agent-console",
                     *         "scope": "openid profile",
                     *         "audience": "loop-agent",
                     *         "authorization_endpoint": "https://login.example.com/authorize"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            422: components["responses"]["validation_failed"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    exchangeCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "SplxlOBeZQQYbYS6WxSbIA",
                 *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                 *       "nonce": "n-0S6_WzA2Mj",
                 *       "redirect_uri": "https://agent.example.com/"
                 *     }
                 */
                "application/json": components["schemas"]["ExchangeCode"];
            };
        };
        responses: {
            /** @description The login */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmF0dXJl",
                     *       "expires_in": 3600,
                     *       "refresh_token": "v1.MRjVbcd",
                     *       "tenant": "acme",
                     *       "scopes": [
                     *         "tasks:read",
                     *         "tasks:write",
                     *         "delegations"
                     *       ],
                     *       "key_name": "oidc:9231a772503457a4"
                     *     }
                     */
                    "application/json": components["schemas"]["LoginToken"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant"];
            404: components["responses"]["not_found"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    refreshLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "v1.MRjVbcd"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshLogin"];
            };
        };
        responses: {
            /** @description The login */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmF0dXJl",
                     *       "expires_in": 3600,
                     *       "refresh_token": "v1.MRjVbcd",
                     *       "tenant": "acme",
                     *       "scopes": [
                     *         "tasks:read",
                     *         "tasks:write",
                     *         "delegations"
                     *       ],
                     *       "key_name": "oidc:9231a772503457a4"
                     *     }
                     */
                    "application/json": components["schemas"]["LoginToken"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant"];
            404: components["responses"]["not_found"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before: the name of its last tenant */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of tenants */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "acme",
                     *           "disabled": false,
                     *           "disabled_at": null,
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "limits": {
                     *             "rate_per_minute": 600,
                     *             "open_tasks": null,
                     *             "tokens_per_day": null,
                     *             "tokens_per_month": null,
                     *             "cost_usd_per_day": "5.00",
                     *             "cost_usd_per_month": null,
                     *             "models": null,
                     *             "stored_bytes": null,
                     *             "hosts": null
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "acme",
                 *       "limits": {
                 *         "rate_per_minute": 600,
                 *         "cost_usd_per_day": "5.00"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTenant"];
            };
        };
        responses: {
            /** @description The tenant */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "acme",
                     *       "disabled": false,
                     *       "disabled_at": null,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "limits": {
                     *         "rate_per_minute": 600,
                     *         "open_tasks": null,
                     *         "tokens_per_day": null,
                     *         "tokens_per_month": null,
                     *         "cost_usd_per_day": "5.00",
                     *         "cost_usd_per_month": null,
                     *         "models": null,
                     *         "stored_bytes": null,
                     *         "hosts": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled.operator_only"];
            409: components["responses"]["tenant_exists.too_many_tenants.request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the tenant */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "acme",
                     *       "disabled": false,
                     *       "disabled_at": null,
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "limits": {
                     *         "rate_per_minute": 600,
                     *         "open_tasks": null,
                     *         "tokens_per_day": null,
                     *         "tokens_per_month": null,
                     *         "cost_usd_per_day": "5.00",
                     *         "cost_usd_per_month": null,
                     *         "models": null,
                     *         "stored_bytes": null,
                     *         "hosts": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["tenant_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the tenant */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled.operator_only"];
            404: components["responses"]["tenant_not_found"];
            409: components["responses"]["tenant_enabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    changeTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the name of the tenant */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "disabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeTenant"];
            };
        };
        responses: {
            /** @description The tenant, changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "acme",
                     *       "disabled": true,
                     *       "disabled_at": "2026-03-03T09:00:00.000Z",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "limits": {
                     *         "rate_per_minute": 600,
                     *         "open_tasks": null,
                     *         "tokens_per_day": null,
                     *         "tokens_per_month": null,
                     *         "cost_usd_per_day": "5.00",
                     *         "cost_usd_per_month": null,
                     *         "models": null,
                     *         "stored_bytes": null,
                     *         "hosts": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled.operator_only"];
            404: components["responses"]["tenant_not_found"];
            409: components["responses"]["request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["patch.unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description only those of this tenant */
                tenant?: string;
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_7Qw2mN0pLx4vB9tR1sYc",
                     *           "tenant": "acme",
                     *           "name": "web shop",
                     *           "prefix": "la_4Zr9Kc",
                     *           "scopes": [
                     *             "tasks:read",
                     *             "tasks:write"
                     *           ],
                     *           "limits": {
                     *             "rate_per_minute": null,
                     *             "open_tasks": null,
                     *             "tokens_per_day": null,
                     *             "tokens_per_month": null,
                     *             "cost_usd_per_day": null,
                     *             "cost_usd_per_month": null,
                     *             "models": null
                     *           },
                     *           "state": "live",
                     *           "created_at": "2026-03-02T09:00:00.000Z",
                     *           "created_by": "admin_key",
                     *           "expires_at": "2027-03-02T09:00:00.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "replaces": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant": "acme",
                 *       "name": "web shop",
                 *       "scopes": [
                 *         "tasks:read",
                 *         "tasks:write"
                 *       ],
                 *       "expires_in_s": 31536000
                 *     }
                 */
                "application/json": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description The key, shown once */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_7Qw2mN0pLx4vB9tR1sYc",
                     *       "tenant": "acme",
                     *       "name": "web shop",
                     *       "prefix": "la_4Zr9Kc",
                     *       "scopes": [
                     *         "tasks:read",
                     *         "tasks:write"
                     *       ],
                     *       "limits": {
                     *         "rate_per_minute": null,
                     *         "open_tasks": null,
                     *         "tokens_per_day": null,
                     *         "tokens_per_month": null,
                     *         "cost_usd_per_day": null,
                     *         "cost_usd_per_month": null,
                     *         "models": null
                     *       },
                     *       "state": "live",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "created_by": "admin_key",
                     *       "expires_at": "2027-03-02T09:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "replaces": null,
                     *       "key": "la_4Zr9KcExampleExampleExampleExamp_000000"
                     *     }
                     */
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled.grant_exceeded"];
            404: components["responses"]["tenant_not_found"];
            409: components["responses"]["too_many_keys.key_ended.request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, without the key itself */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_7Qw2mN0pLx4vB9tR1sYc",
                     *       "tenant": "acme",
                     *       "name": "web shop",
                     *       "prefix": "la_4Zr9Kc",
                     *       "scopes": [
                     *         "tasks:read",
                     *         "tasks:write"
                     *       ],
                     *       "limits": {
                     *         "rate_per_minute": null,
                     *         "open_tasks": null,
                     *         "tokens_per_day": null,
                     *         "tokens_per_month": null,
                     *         "cost_usd_per_day": null,
                     *         "cost_usd_per_month": null,
                     *         "models": null
                     *       },
                     *       "state": "live",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "created_by": "admin_key",
                     *       "expires_at": "2027-03-02T09:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "replaces": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["key_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of the key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["key_not_found"];
            409: components["responses"]["key_ended"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to send again. With the same key and the same body it is answered as the first time, with `Idempotency-Replayed: true`; a key is remembered for 24 hours at least, that of a create as long as its task. An answer of 400, 413, 415 or 422 does not use the key up. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the id of the key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_s": 86400
                 *     }
                 */
                "application/json": components["schemas"]["RotateKey"];
            };
        };
        responses: {
            /** @description The new key, shown once, and the other one */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_0Bf6hT3uXk8dJ5wE2nMq",
                     *       "tenant": "acme",
                     *       "name": "web shop",
                     *       "prefix": "la_4Zr9Kc",
                     *       "scopes": [
                     *         "tasks:read",
                     *         "tasks:write"
                     *       ],
                     *       "limits": {
                     *         "rate_per_minute": null,
                     *         "open_tasks": null,
                     *         "tokens_per_day": null,
                     *         "tokens_per_month": null,
                     *         "cost_usd_per_day": null,
                     *         "cost_usd_per_month": null,
                     *         "models": null
                     *       },
                     *       "state": "live",
                     *       "created_at": "2026-03-02T09:00:00.000Z",
                     *       "created_by": "admin_key",
                     *       "expires_at": "2027-03-02T09:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "replaces": "key_7Qw2mN0pLx4vB9tR1sYc",
                     *       "key": "la_4Zr9KcExampleExampleExampleExamp_000000",
                     *       "replaced": {
                     *         "id": "key_7Qw2mN0pLx4vB9tR1sYc",
                     *         "tenant": "acme",
                     *         "name": "web shop",
                     *         "prefix": "la_4Zr9Kc",
                     *         "scopes": [
                     *           "tasks:read",
                     *           "tasks:write"
                     *         ],
                     *         "limits": {
                     *           "rate_per_minute": null,
                     *           "open_tasks": null,
                     *           "tokens_per_day": null,
                     *           "tokens_per_month": null,
                     *           "cost_usd_per_day": null,
                     *           "cost_usd_per_month": null,
                     *           "models": null
                     *         },
                     *         "state": "live",
                     *         "created_at": "2026-03-02T09:00:00.000Z",
                     *         "created_by": "admin_key",
                     *         "expires_at": "2026-06-03T09:00:00.000Z",
                     *         "last_used_at": null,
                     *         "revoked_at": null,
                     *         "replaces": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled.grant_exceeded"];
            404: components["responses"]["key_not_found"];
            409: components["responses"]["too_many_keys.key_ended.request_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["validation_failed.idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description only calls about this tenant, or by it */
                tenant?: string;
                /** @description only calls of this operation */
                action?: "createTenant" | "changeTenant" | "deleteTenant" | "getTenant" | "listTenants" | "createKey" | "rotateKey" | "revokeKey" | "getKey" | "listKeys" | "listAudit";
                /** @description entries of a page */
                limit?: number;
                /** @description next_cursor of the page before */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the log */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "seq": 12,
                     *           "at": "2026-03-02T09:00:00.000Z",
                     *           "request_id": "5f1c9a7b-e2d0-4836-9c1d-0a7b64d2e8f1",
                     *           "actor": "admin_key",
                     *           "actor_tenant": null,
                     *           "action": "createKey",
                     *           "tenant": "acme",
                     *           "key": "key_7Qw2mN0pLx4vB9tR1sYc",
                     *           "outcome": "done",
                     *           "details": {
                     *             "name": "web shop",
                     *             "scopes": [
                     *               "tasks:read",
                     *               "tasks:write"
                     *             ],
                     *             "limits": {}
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.1.0",
                     *       "schema_version": 12,
                     *       "environment": "production",
                     *       "at": "2026-03-02T09:00:00.000Z",
                     *       "bindings": [
                     *         {
                     *           "name": "TASKS",
                     *           "state": "bound",
                     *           "answered_ms": 4,
                     *           "problem": null
                     *         },
                     *         {
                     *           "name": "JOBS",
                     *           "state": "failing",
                     *           "answered_ms": null,
                     *           "problem": "no answer within 1 s"
                     *         },
                     *         {
                     *           "name": "INDEX",
                     *           "state": "absent",
                     *           "answered_ms": null,
                     *           "problem": null
                     *         }
                     *       ],
                     *       "queue": null,
                     *       "index_fed": null,
                     *       "features": [
                     *         {
                     *           "name": "job_queue",
                     *           "text": "jobs by a queue",
                     *           "on": true,
                     *           "by": [
                     *             "JOBS"
                     *           ]
                     *         },
                     *         {
                     *           "name": "index_database",
                     *           "text": "lists by a database",
                     *           "on": false,
                     *           "by": [
                     *             "INDEX"
                     *           ]
                     *         }
                     *       ],
                     *       "sharded_tenants": 0,
                     *       "short_keys": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled.operator_only"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description the first UTC day; 29 days before `to` when left out */
                from?: string;
                /** @description the last UTC day, which is included; today when left out. A range has at most 400 days */
                to?: string;
                /** @description what is summed apart: day, key, model, mode, with commas between them */
                group_by?: string;
                /** @description the tenant; only the holder of `ADMIN_KEY` may name one, and has to */
                tenant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant": "acme",
                     *       "from": "2026-03-01",
                     *       "to": "2026-03-02",
                     *       "data": [
                     *         {
                     *           "day": "2026-03-02",
                     *           "tasks": 3,
                     *           "model_calls": 21,
                     *           "tool_calls": 9,
                     *           "steps": 24,
                     *           "tokens": 41230,
                     *           "input_tokens": 38110,
                     *           "output_tokens": 3120,
                     *           "cached_tokens": 12800,
                     *           "cost_usd": "0.018400",
                     *           "seconds": 96
                     *         }
                     *       ],
                     *       "total": {
                     *         "tasks": 3,
                     *         "model_calls": 21,
                     *         "tool_calls": 9,
                     *         "steps": 24,
                     *         "tokens": 41230,
                     *         "input_tokens": 38110,
                     *         "output_tokens": 3120,
                     *         "cached_tokens": 12800,
                     *         "cost_usd": "0.018400",
                     *         "seconds": 96
                     *       },
                     *       "as_of": "2026-03-02T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            409: components["responses"]["usage_off"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receiver */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoint": "https://otlp.example.com/v1/traces",
                     *       "protocol": "http/protobuf",
                     *       "headers": {
                     *         "authorization": "Bearer secret:otlp"
                     *       },
                     *       "capture_content": false,
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "last_failure": null
                     *     }
                     */
                    "application/json": components["schemas"]["TraceReceiver"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["receiver_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    putReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": "https://otlp.example.com/v1/traces",
                 *       "headers": {
                 *         "authorization": "Bearer secret:otlp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PutReceiver"];
            };
        };
        responses: {
            /** @description Where spans go from now on */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoint": "https://otlp.example.com/v1/traces",
                     *       "protocol": "http/protobuf",
                     *       "headers": {
                     *         "authorization": "Bearer secret:otlp"
                     *       },
                     *       "capture_content": false,
                     *       "updated_at": "2026-03-02T09:00:00.000Z",
                     *       "last_failure": null
                     *     }
                     */
                    "application/json": components["schemas"]["TraceReceiver"];
                };
            };
            400: components["responses"]["invalid_json.unreadable_body"];
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            409: components["responses"]["traces_off"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["put.unsupported_media_type"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    deleteReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["no_tenant.worker_key.insufficient_scope.tenant_disabled"];
            404: components["responses"]["receiver_not_found"];
            422: components["responses"]["validation_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["issuer_unreachable.not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0",
                     *       "model": {
                     *         "endpoint": "fast",
                     *         "wire": "chat",
                     *         "model": "gpt-5-mini"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            422: components["responses"]["validation_failed"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getOpenapiYaml: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": unknown;
                };
            };
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getConsoleFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["not_configured.unavailable.shutting_down"];
            507: components["responses"]["storage_full"];
        };
    };
}
