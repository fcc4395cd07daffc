/** The texts of the rules of mode orchestrator, in both languages. */
import type { Locale } from '../../../core/terms/locale.ts'
import type { WorkType } from './work-types.ts'

type Words = typeof EN

const EN = {
  untitled: 'Work on the goal',
  rest: (count: number) => `Do the other ${count} parts, in order`,
  again: (title: string, count: number) => `${title} (${count})`,
  bullet: (line: string) => `- ${line}`,
  expected: {
    reproduced: 'The report names the commands that were run and their results, next to those that were to be reached.',
    moved: 'The report gives the figure before and after, and it has moved as asked.',
    mended: 'The report shows that the fault is gone, and by which check.',
    gone: 'The report lists what was taken out and shows that the rest still works.',
    reshaped: 'The report lists what was changed and shows that it works as before.',
    checked: 'The report lists what was checked and what came of it.',
    figures: 'The report gives the figures and how they were got.',
    live: 'The report says where it is in use now and how that was checked.',
    found: 'The report states the findings and what they rest on.',
    gathered: 'The report says what was gathered, how much of it, and where it lies.',
    made: 'The report says what was made, where it is, and how it was tried.',
    other: 'The report says what was done and how it was checked.',
  } satisfies Record<WorkType, string>,
  done: (what: string) => (what === '' ? 'Reported as done.' : `Reported as done: ${what}`),
  also: (title: string) => `Reported as done. A remark asks for one thing more: ${title}`,
  partly: (what: string, count: number) =>
    `Done in part${what === '' ? '' : `: ${what}`} (${count === 1 ? 'one step is' : `${count} steps are`} suggested to go on with)`,
  enough: (what: string) => `Done in part, and nothing is suggested to go on with: ${what}`,
  notDone: (what: string) => (what === '' ? 'It was not done, and no reason is told.' : `It was not done: ${what}`),
  open: (what: string) =>
    what === '' ? 'The report does not say that it is done.' : `The report does not say that it is done: ${what}`,
  impossible: (what: string) =>
    what === '' ? 'The report says that it cannot be done.' : `The report says that it cannot be done: ${what}`,
  reached: (done: number, all: number, goal: string) => `${done} of ${all} steps are completed. Goal: ${goal}`,
  noSteps: (goal: string) => `There were no steps. Goal: ${goal}`,
  results: (list: string) => `Reached: ${list}`,
  failed: (list: string) => `Failed: ${list}`,
  skipped: (list: string) => `Skipped: ${list}`,
  left: (list: string) => `Not done: ${list}`,
  result: (title: string, result: string) => (result === '' ? title : `${title} (${result})`),
  more: (count: number) => `${count} more`,
  effort: (commands: number, failed: number, replans: number) =>
    `Commands: ${commands}; failed attempts: ${failed}; changes of the plan: ${replans}.`,
  nextOpen: (title: string) => `Next: take up "${title}" again, with what its reports say.`,
  nextNone: 'Next: look through the results; no step is open.',
  separator: '; ',
}

const ZH: Words = {
  untitled: '处理目标',
  rest: (count) => `依次完成其余 ${count} 个部分`,
  again: (title, count) => `${title}（${count}）`,
  bullet: (line) => `- ${line}`,
  expected: {
    reproduced: '报告列出所运行的命令及其结果，并与应达到的结果对照。',
    moved: '报告给出改动前后的数值，且变化符合要求。',
    mended: '报告证明问题已消除，并说明用什么检查得出。',
    gone: '报告列出去掉的内容，并证明其余部分仍可正常工作。',
    reshaped: '报告列出改动之处，并证明行为与之前一致。',
    checked: '报告列出检查的内容和结果。',
    figures: '报告给出数值及其得出方式。',
    live: '报告说明现在在何处可用，以及如何验证。',
    found: '报告写明结论及其依据。',
    gathered: '报告说明收集了什么、数量多少、存放在哪里。',
    made: '报告说明做出了什么、放在哪里、如何试过。',
    other: '报告说明做了什么，以及如何检查。',
  },
  done: (what) => (what === '' ? '报告称已完成。' : `报告称已完成：${what}`),
  also: (title) => `报告称已完成。按补充要求还要做：${title}`,
  partly: (what, count) => `部分完成${what === '' ? '' : `：${what}`}（报告建议接着做 ${count} 步）`,
  enough: (what) => `部分完成，报告没有建议后续步骤：${what}`,
  notDone: (what) => (what === '' ? '没有完成，报告未说明原因。' : `没有完成：${what}`),
  open: (what) => (what === '' ? '报告没有说明已经完成。' : `报告没有说明已经完成：${what}`),
  impossible: (what) => (what === '' ? '报告称无法完成。' : `报告称无法完成：${what}`),
  reached: (done, all, goal) => `共 ${all} 步，完成 ${done} 步。目标：${goal}`,
  noSteps: (goal) => `没有任何步骤。目标：${goal}`,
  results: (list) => `已完成：${list}`,
  failed: (list) => `失败：${list}`,
  skipped: (list) => `跳过：${list}`,
  left: (list) => `未做：${list}`,
  result: (title, result) => (result === '' ? title : `${title}（${result}）`),
  more: (count) => `另有 ${count} 项`,
  effort: (commands, failed, replans) => `指令 ${commands} 条，失败 ${failed} 次，调整计划 ${replans} 次。`,
  nextOpen: (title) => `下一步：参照报告，重新处理“${title}”。`,
  nextNone: '下一步：查看各项成果；没有未完成的步骤。',
  separator: '；',
}

const WORDS: Record<Locale, Words> = { en: EN, zh: ZH }
export const orchestratorWordsOf = (locale: Locale): Words => WORDS[locale]
