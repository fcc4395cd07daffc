/** What each phase asks for, with the template of its reply and an example (S3-39). */
import type { Locale } from '../../terms/locale.ts'
import type { Settings } from '../../terms/settings.ts'

export type PromptName = 'plan' | 'think' | 'step_decision' | 'action' | 'move'

type Section = (locale: Locale, settings: Settings) => string

const ADJUST: Record<Locale, string> = {
  en: `- Does what was found call for other steps? add_steps come directly behind the current step, in your order; remove_steps holds ids or titles of later steps to drop. To change a step, remove it and add it anew. Both are [] while the plan is good; it may be changed a few times only.`,
  zh: `- 根据已有发现，是否需要别的步骤？add_steps 按所列顺序插入当前步骤之后；remove_steps 写出要删除的后续步骤的 id 或 title。修改步骤即删除后重新添加。无需改动时两者均为 []；计划只能改动有限几次。`,
}
const FIXED: Record<Locale, string> = {
  en: '- The plan cannot be changed: add_steps and remove_steps are [].',
  zh: '- 计划不能改动：add_steps 与 remove_steps 均为 []。',
}
const adjustText: Section = (locale, { dynamic_planning }) => (dynamic_planning ? ADJUST : FIXED)[locale]

const VERDICT: Record<Locale, string> = {
  en: `- Is the step complete, that is, is step_goal reached? If so reason is the result of the step: say in full what was found or done, with the names, dates and figures that later steps need, and is_complete is true.
- Can the step not be done? Then is_complete is true, achieved is false, and reason says why. Otherwise achieved is null.
- If no step is left after this reply (the last of plan ends, done or not, or the later ones are removed), answer is the answer to goal for the user: first the answer itself with its findings, then what was not done and why. Otherwise it is null.`,
  zh: `- 该步骤是否已完成，即是否达到 step_goal？若已完成，reason 即为该步骤的结果：请完整写出所得，包括后续步骤需要的名称、日期与数字，is_complete 为 true。
- 该步骤无法完成？则 is_complete 为 true，achieved 为 false，reason 说明原因。否则 achieved 为 null。
- 若本回复后不再有步骤（最后一步完成或无法完成，或其后步骤被删除），answer 是给用户的对 goal 的答复：先写答案本身与发现，再说明没做什么及原因。否则 answer 为 null。`,
}

const ACT: Record<Locale, string> = {
  en: `- Choose one of tools. input is a text, or a JSON object written as a text where the tool has parameters. save_as names the result for later, or is null.
- ask_user is for what only the user knows or has. Ask once; if it stays missing, the step cannot be done. A file that the user has named needs no question: read it, and if it is missing, the program asks the user for it.`,
  zh: `- 从 tools 中选择一个。input 是一段文字；工具有 parameters 时，写成 JSON 文字。save_as 为结果命名以便之后使用，或为 null。
- ask_user 用于只有用户知道或拥有的内容。只问一次；仍没有则该步骤无法完成。用户提到的文件无需提问：直接读取即可，若缺少，程序会请用户上传。`,
}

const ENDS: Record<Locale, string> = {
  en: '- ends_item of an action is true if its success finishes the step and its bare result is all that later steps need: an entry made, a file written. The step then ends with that result, and you are not asked about it again; after the last step you are asked for answer alone. Say false if you have to draw something from the result.',
  zh: '- 若动作成功即完成该步骤，且后续步骤只需其原始结果（如已添加的条目、已写入的文件），ends_item 为 true；步骤随即以该结果结束，不再询问；最后一步之后只请你给出 answer。若还要从结果中得出内容，则为 false。',
}

const PLAN: Record<Locale, string> = {
  en: `Make the first plan: the steps that reach the goal, in order. It is a start only; steps can be added and removed later, so plan what is known now. description says what to do, expected_output by what one sees that the step is complete. Plan no step that only tells the user the result: the answer is asked for at the end. Do not answer the goal.
Template: {"steps":[{"name":"…","description":"…","expected_output":"…"}]}
Example: {"steps":[{"name":"Load the numbers","description":"Read sales.csv","expected_output":"The rows are known"},{"name":"Write the summary","description":"Sum up by month","expected_output":"summary.md exists"}]}`,
  zh: `制定初始计划：按顺序给出达成目标的步骤。它只是起点，之后可增删步骤，只规划已知部分。description 说明做什么，expected_output 说明看到什么即算完成。不要单列只向用户汇报结果的步骤，最后会请你给出答复。不要直接回答目标。
模板：{"steps":[{"name":"…","description":"…","expected_output":"…"}]}
示例：{"steps":[{"name":"读取数据","description":"读取 sales.csv","expected_output":"已知各行内容"},{"name":"撰写摘要","description":"按月汇总","expected_output":"已生成 summary.md"}]}`,
}

const THINK: Record<Locale, string> = {
  en: `Think about the progress of current_item: what was found, what is missing to reach step_goal, what comes next, in a few sentences that the user may read. Decide nothing yet.
Template: {"thought":"…"}
Example: {"thought":"The file has three columns; the dates are in two formats, which has to be mended before the months are summed up."}`,
  zh: `思考 current_item 的进展：已有什么发现，离 step_goal 还缺什么，接下来做什么，用用户可读的几句话表达。此时不做决定。
模板：{"thought":"…"}
示例：{"thought":"文件共三列；日期有两种格式，需先统一才能按月汇总。"}`,
}

const decide: Section = (locale, settings) =>
  ({
    en: `Decide about current_item by your thought, with a reason that the user may read.
${VERDICT.en}
${adjustText('en', settings)}
Template: {"reason":"…","is_complete":false,"achieved":null,"answer":null,"add_steps":[],"remove_steps":[]}
Example: {"reason":"sales.csv has 240 rows from 2026-01 to 2026-06; some dates need mending first.","is_complete":true,"achieved":null,"answer":null,"add_steps":[{"name":"Mend the dates","description":"Write all dates as YYYY-MM-DD","expected_output":"One format of dates"}],"remove_steps":[]}`,
    zh: `依据你的思考对 current_item 作出决定，并给出用户可读的理由。
${VERDICT.zh}
${adjustText('zh', settings)}
模板：{"reason":"…","is_complete":false,"achieved":null,"answer":null,"add_steps":[],"remove_steps":[]}
示例：{"reason":"sales.csv 共 240 行，2026-01 至 2026-06；部分日期需先修正。","is_complete":true,"achieved":null,"answer":null,"add_steps":[{"name":"修正日期","description":"统一为 YYYY-MM-DD","expected_output":"日期格式一致"}],"remove_steps":[]}`,
  })[locale]

const ACTION: Record<Locale, string> = {
  en: `Choose the one next action that brings current_item closer to step_goal, by your thought and the latest of decisions.
${ACT.en}
Template: {"tool":"…","input":"…","save_as":null}
Example: {"tool":"read_file","input":"{\\"name\\":\\"sales.csv\\"}","save_as":"sales"}`,
  zh: `依据你的思考与最近的 decisions，选择使 current_item 更接近 step_goal 的一个动作。
${ACT.zh}
模板：{"tool":"…","input":"…","save_as":null}
示例：{"tool":"read_file","input":"{\\"name\\":\\"sales.csv\\"}","save_as":"sales"}`,
}

const move: Section = (locale, settings) => {
  const few = settings.calls === 'few'
  const ends = few ? [ENDS[locale]] : []
  const member = few ? ',"ends_item":false' : ''
  const rules = [VERDICT[locale], adjustText(locale, settings), ACT[locale], ...ends].join('\n')
  return {
    en: `Think about current_item, decide about it, and choose its next action, all in one reply; thought and reason may be read by the user. When the step is complete or cannot be done, action is null; else it is required.
${rules}
Template: {"thought":"…","reason":"…","is_complete":false,"achieved":null,"answer":null,"add_steps":[],"remove_steps":[],"action":{"tool":"…","input":"…","save_as":null${member}}}
Example: {"thought":"Nothing is read yet.","reason":"The rows are not known.","is_complete":false,"achieved":null,"answer":null,"add_steps":[],"remove_steps":[],"action":{"tool":"read_file","input":"{\\"name\\":\\"sales.csv\\"}","save_as":"sales"${member}}}`,
    zh: `在一次回复中思考 current_item、对其作出决定并选择下一个动作；thought 与 reason 用户可读。步骤已完成或无法完成时 action 为 null；否则必须给出 action。
${rules}
模板：{"thought":"…","reason":"…","is_complete":false,"achieved":null,"answer":null,"add_steps":[],"remove_steps":[],"action":{"tool":"…","input":"…","save_as":null${member}}}
示例：{"thought":"尚未读取任何内容。","reason":"各行内容未知。","is_complete":false,"achieved":null,"answer":null,"add_steps":[],"remove_steps":[],"action":{"tool":"read_file","input":"{\\"name\\":\\"sales.csv\\"}","save_as":"sales"${member}}}`,
  }[locale]
}

export const SECTIONS: Record<PromptName, Section> = {
  plan: (locale) => PLAN[locale],
  think: (locale) => THINK[locale],
  step_decision: decide,
  action: (locale) => ACTION[locale],
  move,
}
