/** Reads datasets and runs code in this isolate. The first call loads the code for it, so that a start does not pay for it. */
import { paceFile } from '../datasets/pace-file.ts'
import { SMALL_WORKBOOKS, type WorkbookBounds } from '../datasets/formats/workbook/bounds.ts'
import type { Compute, DatasetJob, DatasetReport } from '../shell/ports.ts'

export const createLocalCompute = (workbooks: WorkbookBounds): Compute => ({
  datasets: { report: (job) => reportOf(job, workbooks) },
  code: {
    async run(job) {
      const [{ sandboxRunner }, { datasetLoader }] = await runners()
      const dataset = job.dataset === null ? null : paceFile(job.dataset, job.pause)
      return await sandboxRunner({ load: datasetLoader(workbooks) }).run({ ...job, dataset })
    },
  },
})

/** For the single Worker, where other requests of the isolate wait meanwhile. */
export const localCompute = createLocalCompute(SMALL_WORKBOOKS)

async function reportOf(job: DatasetJob, workbooks: WorkbookBounds): Promise<DatasetReport> {
  const { dataset, pause, sheet, preview_rows, locale, chars_max } = job
  const [{ summarizeDataset }, { datasetErrorText }, { datasetReport }] = await readers()
  const read = await summarizeDataset(paceFile(dataset, pause), sheet, preview_rows, workbooks)
  if (read.ok) return { ok: true, text: datasetReport(dataset.entry, read.value, locale, chars_max) }
  const code = read.error.kind === 'unknown_sheet' ? 'unknown_sheet' : 'unreadable'
  return { ok: false, code, text: `${dataset.entry.name}: ${datasetErrorText(read.error, locale)}` }
}

const runners = () => Promise.all([import('../sandbox/runner.ts'), import('../sandbox/dataset.ts')])
const readers = () =>
  Promise.all([import('../datasets/summary.ts'), import('../datasets/texts.ts'), import('../datasets/report.ts')])
