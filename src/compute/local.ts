/** Reads datasets and pages and runs code in this isolate. The first call loads the code for it, so that a start does not pay for it. */
import { paceFile } from '../datasets/pace-file.ts'
import { SMALL_WORKBOOKS, type WorkbookBounds } from '../datasets/formats/workbook/bounds.ts'
import { SMALL_PAGES, type PageBounds } from '../pages/page.ts'
import type { Compute, DatasetJob, DatasetReport, PageJob, PageReport } from '../shell/ports.ts'

interface Bounds {
  workbooks: WorkbookBounds
  pages: PageBounds
}

export const createLocalCompute = ({ workbooks, pages }: Bounds): Compute => ({
  datasets: { report: (job) => reportOf(job, workbooks) },
  pages: { report: (job) => pageReportOf(job, pages) },
  code: {
    async run(job) {
      const [{ sandboxRunner }, { datasetLoader }] = await runners()
      const dataset = job.dataset === null ? null : paceFile(job.dataset, job.pause)
      return await sandboxRunner({ load: datasetLoader(workbooks) }).run({ ...job, dataset })
    },
  },
})

/** Whether this bundle computes by itself, without a compute Worker. */
export const has_local_compute: boolean = true

/** For the single Worker, where other requests of the isolate wait meanwhile. */
export const localCompute = createLocalCompute({ workbooks: SMALL_WORKBOOKS, pages: SMALL_PAGES })

async function reportOf(job: DatasetJob, workbooks: WorkbookBounds): Promise<DatasetReport> {
  const { dataset, pause, sheet, preview_rows, locale, chars_max } = job
  const [{ summarizeDataset }, { datasetErrorText }, { datasetReport }] = await readers()
  const read = await summarizeDataset(paceFile(dataset, pause), sheet, preview_rows, workbooks)
  if (read.ok) return { ok: true, text: datasetReport(dataset.entry, read.value, locale, chars_max) }
  const code = read.error.kind === 'unknown_sheet' ? 'unknown_sheet' : 'unreadable'
  return { ok: false, code, text: `${dataset.entry.name}: ${datasetErrorText(read.error, locale)}` }
}

async function pageReportOf({ source, ...job }: PageJob, bounds: PageBounds): Promise<PageReport> {
  const [{ readPage }, { pageReport }] = await pageReaders()
  const { body } = paceFile(source, job.pause)
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  const { content_type, address, is_cut, pause } = job
  return pageReport(await readPage({ bytes, content_type, address, is_cut }, bounds, pause), job)
}

const pageReaders = () => Promise.all([import('../pages/read-page.ts'), import('../pages/report.ts')])
const runners = () => Promise.all([import('../sandbox/runner.ts'), import('../sandbox/dataset.ts')])
const readers = () =>
  Promise.all([import('../datasets/summary.ts'), import('../datasets/texts.ts'), import('../datasets/report.ts')])
