/** What one run of model-written code may take. An isolate has 128 MB, of which the service needs a third. */

/**
 * Units of fuel: functions entered and turns of loops inside the interpreter (scripts/lib/meter-wasm.mjs), 2 to 5 ns each, so at most
 * two seconds of one core (U27). The same on every machine; no clock stands still or runs while code does.
 */
export const FUEL = 500_000_000
/** Kept back, so that code which is stopped can still be told where. */
export const FUEL_KEPT = 10_000_000
/** Each call of the platform from inside – the time of day, the offset of a zone – costs more than a turn of a loop. */
export const FUEL_PER_CALL = 400
/** For the kit itself, before the code begins. */
export const FUEL_OF_KIT = 200_000_000
/** Of what the code and the kit make, columns among it. */
export const MEMORY_BYTES = 41_943_040
/** Of the whole interpreter, in pages of 64 KiB: 48 MB. More than the code may take, so that texts have room on their way in and out. */
export const MEMORY_PAGES = 768
/** What it begins with. */
export const MEMORY_PAGES_FIRST = 256
/** Of the different words of one column. */
export const WORDS_CHARS_MAX = 4_000_000
/** Beyond 256 KB the interpreter would outgrow the stack of the platform. */
export const STACK_BYTES = 131_072
/** Promises that go on; each is paid with fuel as well. */
export const JOBS_PER_TURN = 1_000

export const CODE_CHARS_MAX = 100_000
/** Of stdout and of stderr; the tool shows less. */
export const OUTPUT_CHARS_MAX = 20_000
export const CHARTS_MAX = 8
/** Of all charts of a run together (chart-marks.ts): drawn in a third of a second. */
export const MARKS_MAX = 8_000
/** Paid as a chart is handed over: as much time as it takes to draw one. */
export const FUEL_PER_MARK = 10_000
export const CHART_OUTLIERS_MAX = 50
/** Of a chart as the code gives it. */
export const SPEC_CHARS_MAX = 1_000_000
/** Of a chart as it is drawn. */
export const SVG_CHARS_MAX = 262_144
export const RESULT_NAME_CHARS_MAX = 100
/** Of result.json as a whole, which has to fit a file (core/terms/files/files.ts). */
export const RESULTS_CHARS_MAX = 65_536
export const RESULT_MEMBERS_MAX = 100
/** The kit thins lines and points to fewer, and says so. */
export const CHART_CATEGORIES_MAX = 2_000
export const CHART_POINTS_MAX = 2_100
export const CHART_SERIES_MAX = 12
