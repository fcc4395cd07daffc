/** Awkward English goals of mode orchestrator: what is told, limited, shared or listed, and what only looks like two. The notation is that of offline-orchestrator-goals.ts. */
export const ORCHESTRATED_ENGLISH_AWKWARD = String.raw`
> Build a todo app\nRequirements:\n- users can log in\n- data is stored in SQLite
Build a todo app
! users can log in
! data is stored in SQLite
> ## Task 1\nReproduce the project\n## Task 2\nRaise its accuracy
Reproduce the project
Raise its accuracy
> **Goal**: port the library to Rust, keeping the API; benchmark both
Port the library to Rust
! keeping the API
Benchmark both
> - [x] clone the repo\n- [ ] run the tests\n- [ ] fix failures
Clone the repo
Run the tests
Fix failures
> 1. Fix login. It crashes on Safari.\n2. Add tests. Do not mock the browser.
Fix login
Add tests
! Do not mock the browser
> Evaluate precision and recall, log and store the results
Evaluate precision and recall
Log and store the results
> Find the cause of the outage between 10:00 and 11:00 and write a post-mortem
Find the cause of the outage between 10:00 and 11:00
Write a post-mortem
> Download the dataset, clean and split it, train a baseline, and report the metrics in a table
Download the dataset
Clean and split it
Train a baseline
Report the metrics in a table
> Check that the API works and that the docs match
Check that the API works and that the docs match
> Add a ‵--dry-run‵ flag (and test it), and update README.md
Add a ‵--dry-run‵ flag (and test it)
Update README.md
> Raise accuracy only by tuning hyperparameters
Raise accuracy
! only by tuning hyperparameters
> Only fix the login bug
Only fix the login bug
! Only fix the login bug
> Fix only the login bug
Fix only the login bug
> The tests are flaky and the CI is slow.
The tests are flaky and the CI is slow
> Refactor module A;refactor module B;refactor module C
Refactor module A
Refactor module B
Refactor module C
> reproduce the project\nraise its accuracy\nwrite a report
Reproduce the project
Raise its accuracy
Write a report
> REPRODUCE THE PROJECT AND RAISE ITS ACCURACY
REPRODUCE THE PROJECT
RAISE ITS ACCURACY
> Reproduce the project so that its accuracy can be raised and documented
Reproduce the project so that its accuracy can be raised and documented
> Reproduce the project in order to raise its accuracy and document the results
Reproduce the project in order to raise its accuracy and document the results
> Before deploying, run the tests and back up the database
Before deploying, run the tests
Back up the database
> Research three vector databases, compare them by price and speed, and recommend one
Research three vector databases
Compare them by price and speed
Recommend one
> Investigate why search is slow and fix it
Investigate why search is slow
Fix it
> Add import and export buttons
Add import and export buttons
> Give the user read and write access
Give the user read and write access
> Speed up the nightly build and test the app
Speed up the nightly build
Test the app
> Reproduce the paper's benchmark and raise accuracy
Reproduce the paper's benchmark
Raise accuracy
> "Reproduce and raise"
"Reproduce and raise"
> Please reproduce the project (see README.md; it has instructions) and raise its accuracy.
Reproduce the project (see README.md; it has instructions)
Raise its accuracy
> Step 1 - clone\nStep 2 - build\nStep 3 - test
Clone
Build
Test
> Reproduce the project; don't use GPU, use only Python 3.11 and keep the run under 10 minutes
Reproduce the project
! don't use GPU
! use only Python 3.11
! keep the run under 10 minutes
> Train on CPU only, then publish the weights
Train on CPU only
Publish the weights
> Deploy to production only after all tests pass
Deploy to production
! only after all tests pass
> Implement OAuth2 login with Google and GitHub and store tokens encrypted
Implement OAuth2 login with Google and GitHub
Store tokens encrypted
> The app must support dark mode and must load in 2 s. Build it with React.
Build it with React
! The app must support dark mode
! must load in 2 s
> Do market research and write a report
Do market research
Write a report
> Prepare the train and test sets
Prepare the train and test sets
> Add create and delete endpoints
Add create and delete endpoints
> Run load and stress tests
Run load and stress tests
> Fix the bug that happens only on Safari
Fix the bug that happens only on Safari
> Carefully review and merge PR 12
Carefully review and merge PR 12
> Add a step counter and remove the old one
Add a step counter
Remove the old one
> Fix the typo in "drop and run"; add CI
Fix the typo in "drop and run"
Add CI
> Raise the accuracy while keeping latency under 10 ms and publish the model
Raise the accuracy
! while keeping latency under 10 ms
Publish the model
> Write an integration test and a unit test for the parser and fix the bugs you find
Write an integration test and a unit test for the parser
Fix the bugs you find
> Fix the parser, remove the lexer and the printer
Fix the parser
Remove the lexer and the printer
> Reproduce:\n\n    npm ci && npm test\n\nand fix the failure
Reproduce
Fix the failure
> Fix this:\n‵‵‵\nTypeError: x is not a function; and then boom\n‵‵‵\nThen add a test.
Fix this
Add a test
> - clone the repo and build it\n- run the tests
Clone the repo and build it
Run the tests
> Train the model and evaluate it\nWrite the report
Train the model and evaluate it
Write the report
> - Fix login. Add a test for it.\n- Deploy
Fix login
Deploy
> Refactor the parser, but do not change the API and rename files
Refactor the parser
! do not change the API and rename files
> The CI is red and fix attempts failed. Repair it.
Repair it
> Check that the build is green and test has passed
Check that the build is green and test has passed
> Build fails on Windows. Dark mode is missing. Handle what is left.
Handle what is left
> Add drag and drop
Add drag and drop
> Improve the docs and design
Improve the docs and design
> In the repo foo/bar, fix the bug and add tests
In the repo foo/bar, fix the bug
Add tests
> Run the tests, if they fail, fix them, and deploy
Run the tests
Deploy
> Create a REST API with endpoints for users and orders, then dockerize it and deploy it to Fly.io
Create a REST API with endpoints for users and orders
Dockerize it
Deploy it to Fly.io
> Fix the memory leak in the worker, which shows up after 2 hours, and add a regression test
Fix the memory leak in the worker, which shows up after 2 hours
Add a regression test
> Improve the model. Use mixup and cutout. Don't change the architecture. Report top-1 accuracy.
Improve the model
Use mixup and cutout
! Don't change the architecture
Report top-1 accuracy
> Look into why the nightly job is slow; if it is the database, add an index; otherwise profile the code
Look into why the nightly job is slow
> Delete unused code and rename ‵foo()‵ to ‵bar()‵ across the repo
Delete unused code
Rename ‵foo()‵ to ‵bar()‵ across the repo
> Given the dataset in data/train.csv, train a classifier and predict labels for data/test.csv
Given the dataset in data/train.csv, train a classifier
Predict labels for data/test.csv
> Could you please take the notebook, turn it into a package and publish it on PyPI?
Take the notebook
Turn it into a package
Publish it on PyPI
> Phase 1: gather requirements\nPhase 2: build a prototype\nPhase 3: launch
Gather requirements
Build a prototype
Launch
> Objective\n---------\nRaise recall\n\nNotes\n- budget is small
Raise recall
> a) clone b) build c) test
Clone
Build
Test
> Migrate from Jenkins to GitHub Actions, keeping secrets safe, and remove the old jobs afterwards
Migrate from Jenkins to GitHub Actions
! keeping secrets safe
Remove the old jobs afterwards
> Build a chatbot that answers questions and cites sources; it should respond within 2 seconds
Build a chatbot that answers questions and cites sources
! it should respond within 2 seconds
> Port the parser, then document it\nNote: do not change the grammar\nBackground: it was written in 2015
Port the parser
! do not change the grammar
Document it
! do not change the grammar
`
