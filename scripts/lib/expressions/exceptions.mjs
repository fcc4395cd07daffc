/**
 * Regular expressions that are allowed although the check refuses them, each with the proof that they take linear time where they are
 * used. An exception that is no longer needed fails the check.
 */

/** @type {readonly {file: string, source?: string, proof: string}[]} `file`: one, or a folder with a slash behind; no `source`: all in it that are polynomial. */
export const EXCEPTIONS = [
  {
    file: 'src/models/offline/',
    proof:
      'The rules of the built-in model read parts of at most 600 characters (PART_MAX in split.ts), at most 100 of them (PARTS_MAX in goal.ts), ' +
      'and texts that are cut before; test/growth holds whole goals, remarks, answers and reports to 100 ms.',
  },
  {
    file: 'src/delegations/labels.ts',
    source: '(?<![\\w-])(?:report-)?(task-(?=[\\w-]*\\d)[\\w-]*\\w)',
    proof:
      'Nothing of a run of [\\w-] can begin a match but its first character, because of what is looked for behind it; a line is cut to 1,000 characters.',
  },
  {
    file: 'src/http/gate/prefer.ts',
    source:
      '(?:^|,)\\s*([!#$%&\'*+.^_`|~\\w-]+)(?:\\s*=(?:\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,;"]+)))?)?(?:\\s*;[^,"]*(?:"(?:[^"\\\\]|\\\\.)*"[^,"]*)*)?',
    proof: 'The header is cut to 1,000 characters (HEADER_CHARS_MAX).',
  },
  {
    file: 'src/sandbox/chart-svg.ts',
    source: '<style ?>.*?<\\/style>\\n?',
    proof: 'The picture is drawn by echarts, which closes each style and escapes each opening sign of a label.',
  },
  {
    file: 'src/sandbox/kit/language.ts',
    source: '\\B(?=(?:\\d{3})+$)',
    proof: 'The digits are those of one number below 1e21: 21 at the most.',
  },
]
