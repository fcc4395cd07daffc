/** English goals of mode orchestrator, and the steps they are split into. The notation is that of offline-orchestrator-goals.ts. */
export const ORCHESTRATED_ENGLISH = String.raw`
> Reproduce the project and raise its accuracy
Reproduce the project
Raise its accuracy
> Reproduce the project, then raise its accuracy.
Reproduce the project
Raise its accuracy
> Clone the repo, install dependencies, run the tests and fix what fails
Clone the repo
Install dependencies
Run the tests
Fix what fails
> 1. Reproduce the results\n2. Raise the accuracy\n3. Write a report
Reproduce the results
Raise the accuracy
Write a report
> - fix login\n- add sign-up\n- write tests for both
Fix login
Add sign-up
Write tests for both
> Reproduce the project without a GPU and raise its accuracy, but do not change the public API
Reproduce the project
! without a GPU
Raise its accuracy
! do not change the public API
> Add salt and pepper noise to the images
Add salt and pepper noise to the images
> Upgrade from v1.2 to v2.0 and fix what breaks
Upgrade from v1.2 to v2.0
Fix what breaks
> Build, test and deploy the app
Build, test and deploy the app
> Fix the build and test pipelines
Fix the build and test pipelines
> Write a script to download the data and parse it
Write a script to download the data and parse it
> Read https://example.org/a,b;c and then summarise it
Read https://example.org/a,b;c
Summarise it
> Rename "foo and bar" to ‵baz; qux‵ and update the docs
Rename "foo and bar" to ‵baz; qux‵
Update the docs
> The current accuracy is 71%. Raise it to 80%. It must run on CPU.
Raise it to 80%
! It must run on CPU
> Please help me to reproduce the paper “Attention is all you need” and raise BLEU by 2 points, thanks!
Reproduce the paper “Attention is all you need”
Raise BLEU by 2 points
> If the tests fail, then fix them
If the tests fail, then fix them
> When everything works, publish the package and write the release notes
When everything works, publish the package
Write the release notes
> Only use the standard library. Write a parser; add tests.
Write a parser
! Only use the standard library
Add tests
> Improve reliability, speed, and test coverage
Improve reliability, speed, and test coverage
> Compare A and B
Compare A and B
> Migrate the database to Postgres and update the docs
Migrate the database to Postgres
Update the docs
> Train a model on CIFAR-10, evaluate it on the test set, and write up the results
Train a model on CIFAR-10
Evaluate it on the test set
Write up the results
> Please do the following:\n1) Clone the repo\n2) Reproduce the results\n   - use seed 42\n   - do not use the GPU\n3) Raise accuracy
Clone the repo
Reproduce the results
! do not use the GPU
Raise accuracy
> Goal: make the service faster\nConstraints:\n- no new dependencies\n- keep the API\nExpected output: a table of timings
Make the service faster
! no new dependencies
! keep the API
> First, reproduce the bug. Second, fix it. Finally, deploy to staging and production.
Reproduce the bug
Fix it
Deploy to staging and production
> Write and run tests, then deploy
Write and run tests
Deploy
> Refactor auth to use JWT, update the docs, and add tests
Refactor auth to use JWT
Update the docs
Add tests
> We need to fix the flaky tests and speed up CI
Fix the flaky tests
Speed up CI
> Implement search and replace in the editor and document it
Implement search and replace in the editor
Document it
> # Project X\n\n## Steps\n- Set up CI\n- Deploy\n\n## Constraints\n- must not exceed 10 USD
Set up CI
! must not exceed 10 USD
Deploy
! must not exceed 10 USD
> Fix the crash that happens without network and add a test
Fix the crash that happens without network
Add a test
> Design → implement → test → deploy
Design
Implement
Test
Deploy
> Step 1: collect data. Step 2: clean it. Step 3: train a model.
Collect data
Clean it
Train a model
> Can you clean up the repo and also remove dead code?
Clean up the repo
Remove dead code
> reproduce the experiments in the paper on a\nsingle machine and raise the accuracy by two\npoints
Reproduce the experiments in the paper on a single machine
Raise the accuracy by two points
> Fix login.\nUpdate the docs:\n- README\n- CHANGELOG
Fix login
Update the docs
> Write a CLI that reads a.csv and writes b.json; publish it to npm
Write a CLI that reads a.csv and writes b.json
Publish it to npm
> Deploy v1.2. Then monitor for 24 h. Never touch the database.
Deploy v1.2
Monitor for 24 h
! Never touch the database
> ls -la && rm -rf build
ls -la && rm -rf build
> Run ‵npm test && npm run build‵ and report the result
Run ‵npm test && npm run build‵
Report the result
> Reduce p99 latency below 200 ms, e.g. by caching, and keep memory under 1 GB
Reduce p99 latency below 200 ms, e.g. by caching
! keep memory under 1 GB
> Fix the crash that happens on startup and add a test
Fix the crash that happens on startup
Add a test
> Hi! I would like you to reproduce the project. After that, raise its accuracy. Thanks.
Reproduce the project
Raise its accuracy
> Our goal is to reproduce the experiments and improve the F1 score without changing the data split.
Reproduce the experiments
Improve the F1 score
! without changing the data split
> You must reproduce the project and raise its accuracy
Reproduce the project
Raise its accuracy
> Do not use external services. Build a todo app with login; deploy it.
Build a todo app with login
! Do not use external services
Deploy it
`
