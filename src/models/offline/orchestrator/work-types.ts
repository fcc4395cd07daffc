/** The types of work, by their first verb. They say what a report has to show. */
import { englishWork } from './english.ts'

const ENGLISH = {
  reproduced: 'reproduce replicate recreate',
  moved:
    'raise improve increase reduce decrease lower boost enhance speed optimise optimize minimise minimize shorten cut',
  mended: 'fix repair resolve solve correct debug mend eliminate',
  gone: 'remove delete drop clean uninstall prune',
  reshaped: 'refactor restructure reorganise reorganize rename simplify rewrite split merge move replace convert',
  checked: 'test verify validate check review audit inspect lint confirm ensure',
  figures:
    'run rerun train retrain evaluate measure benchmark compare profile tune finetune fine-tune calculate compute assess',
  live: 'deploy publish release install configure migrate upgrade set launch roll provision integrate enable',
  found: 'analyse analyze investigate explore research identify find study read determine diagnose understand',
  gathered: 'collect gather prepare download fetch clone extract label annotate',
  made: 'write add implement create build design document draft make generate develop construct visualise visualize',
}
export type WorkType = keyof typeof ENGLISH | 'other'

const CHINESE = {
  reproduced: /复现|重现|再现/u,
  moved: /提高|提升|增强|改善|改进|优化|降低|减少|缩短|加快|加速/u,
  mended: /修复|修正|修补|解决|排查|调试/u,
  gone: /删除|移除|去除|去掉|清理|清除|卸载/u,
  reshaped: /重构|重写|拆分|合并|简化|替换|重命名|迁移到/u,
  checked: /测试|检查|检验|审查|审核|验证|校验|确认|核对/u,
  figures: /运行|训练|微调|调参|评估|评测|测量|比较|对比|统计|计算/u,
  live: /部署|上线|发布|安装|配置|迁移|升级|搭建|集成/u,
  found: /分析|调研|研究|调查|探索|阅读|定位|找出/u,
  gathered: /收集|采集|搜集|下载|准备|克隆|抓取|爬取|标注/u,
  made: /编写|撰写|添加|新增|实现|开发|设计|创建|构建|生成|制作|写|加|做/u,
} satisfies Record<keyof typeof ENGLISH, RegExp>
const TYPES = Object.keys(ENGLISH) as (keyof typeof ENGLISH)[] // keys of a literal
const BY_VERB = new Map(TYPES.flatMap((deed) => ENGLISH[deed].split(' ').map((verb) => [verb, deed] as const)))
const HEAD_CHARS = 60

export function deedOf(text: string): WorkType {
  const verb = englishWork(text)?.verb
  if (verb !== undefined) return BY_VERB.get(verb) ?? 'other'
  const head = text.slice(0, HEAD_CHARS)
  let first: { deed: WorkType; at: number } = { deed: 'other', at: HEAD_CHARS }
  for (const deed of TYPES) {
    const at = head.search(CHINESE[deed])
    if (at !== -1 && at < first.at) first = { deed, at }
  }
  return first.deed
}
