/** The limits of one run of model-written code. An isolate has 128 MB, of which the service needs a third. */

/**
 * Units of fuel: each function call and each loop turn inside the interpreter takes one (scripts/lib/meter-wasm.mjs), 2 to 5 ns, so a run takes
 * at most two seconds of one core (U27). Fuel is the same on every machine and does not depend on a clock.
 */
export const FUEL = 500_000_000
/** A reserve, so that code that is stopped can still be told its line. */
export const FUEL_KEPT = 10_000_000
/** The fuel for each call of the platform from inside, such as the time of day, which costs more than a loop turn. */
export const FUEL_PER_CALL = 400
/** The fuel for booting the kit, before the code starts. */
export const FUEL_OF_KIT = 200_000_000
/** The memory for everything that the code and the kit create, columns included. */
export const MEMORY_BYTES = 41_943_040
/**
 * The memory of the whole interpreter, in pages of 64 KiB: 48 MB. It is more than the code may take, so that texts have room on their way in and
 * out.
 */
export const MEMORY_PAGES = 768
/** The pages that the interpreter starts with. */
export const MEMORY_PAGES_FIRST = 256
/** The characters of the distinct words of one column. */
export const WORDS_CHARS_MAX = 4_000_000
/** Beyond 256 KB the interpreter would overflow the stack of the platform. */
export const STACK_BYTES = 131_072
/** The promise jobs that run at a time; each also costs fuel. */
export const JOBS_PER_TURN = 1_000

export const CODE_CHARS_MAX = 100_000
/** The bound of stdout and of stderr; the tool shows less. */
export const OUTPUT_CHARS_MAX = 20_000
export const CHARTS_MAX = 8
/** The bound of all charts of a run together (chart-marks.ts), which are drawn in a third of a second. */
export const MARKS_MAX = 8_000
/** The fuel that is paid for each mark of a chart; it stands for the time to draw one. */
export const FUEL_PER_MARK = 10_000
export const CHART_OUTLIERS_MAX = 50
/** The length of a chart as the code sends it. */
export const SPEC_CHARS_MAX = 1_000_000
/** The length of a chart as it is drawn. */
export const SVG_CHARS_MAX = 262_144
export const RESULT_NAME_CHARS_MAX = 100
/** The length of the whole result.json, which has to fit into a file (core/terms/files/files.ts). */
export const RESULTS_CHARS_MAX = 65_536
export const RESULT_MEMBERS_MAX = 100
/** The kit thins lines and points to fewer than these, and says so. */
export const CHART_CATEGORIES_MAX = 2_000
export const CHART_POINTS_MAX = 2_100
export const CHART_SERIES_MAX = 12
