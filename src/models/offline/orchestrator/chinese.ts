/** The words that identify Chinese work: a text that starts with one of these verbs is work. */
import type { Joint } from './english.ts'

const VERBS =
  '复现|重现|再现|提高|提升|增强|增加|改善|改进|改造|改写|优化|降低|减少|缩短|加快|加速|修复|修正|修改|修补|解决|排查|定位|调试|添加|新增|加入|引入|补充|补全|补齐|完善|删除|移除|去除|去掉|清理|清洗|清除|清空|编写|撰写|书写|重写|写出|写入|起草|测试|运行|执行|启动|重启|构建|搭建|建立|创建|新建|编译|打包|部署|上线|发布|发送|推送|推荐|提交|合并|拉取|克隆|下载|上传|导入|导出|抓取|爬取|采集|收集|搜集|获取|读取|解析|提取|抽取|转换|转化|迁移|升级|降级|安装|卸载|配置|设置|启用|禁用|集成|接入|对接|评估|评测|评价|测量|测算|统计|计算|训练|微调|调参|调优|调整|调研|研究|分析|探索|调查|检查|检验|检测|审查|审核|复查|核对|验证|校验|确认|确定|确保|保证|保持|比较|对比|总结|归纳|整理|汇总|记录|描述|说明|解释|介绍|翻译|生成|制作|制定|设计|规划|实现|开发|重构|拆分|封装|抽象|简化|统一|规范|标注|标记|划分|准备|预处理|处理|加载|加密|扩充|扩展|扩大|替换|更换|更新|同步|备份|恢复|回滚|监控|模拟|仿真|绘制|可视化|画出|输出|打印|展示|演示|列出|找出|查找|查询|查看|阅读|学习|了解|理解|梳理|沟通|通知|交付|完成|使用|采用|选择|选用|挑选|尝试|试验|实验|进行|做出|给出|提出|提供|支持|限制|压缩|量化|剪枝|蒸馏|归档|注册|申请|登录到|切换|复制|移动|重命名|维护|管理|跑通|跑完|打通|联调'
/** Verbs of one character, where it is not part of another word. */
const SHORT =
  '写(?![入法手])|跑(?!步)|改(?![进善造写变])|加(?![载密速入强快工])|做(?!法)|测(?![试量算])|修(?![复正改补])|删(?!除)|查(?![找询看])|建(?!议)|装(?!置)|调(?![试参优整研查])|画(?!出)|读(?!取)|训(?!练)|跟进'
const ADVERBS =
  '(?:先|再|也|还|就|重新|继续|进一步|尽量|尽快|自动|仔细|认真|完整地?|全面|分别|逐步|逐个|逐一|批量|手动|适当|大幅|显著|彻底|快速|深入|一并|着手|开始|尝试|负责|最终|最后|接着|然后|现在){0,3}'
const WORK = new RegExp(`^${ADVERBS}(?:${VERBS}|${SHORT})`, 'u')
const BEHIND_OBJECT = new RegExp(
  `^${ADVERBS}(?:把|将(?!来|近)|对|为|给|用|在|从|按照?|根据|通过|基于|针对|利用|以|与|和|跟|向)[^，。；、]{1,30}?(?:${VERBS}|${SHORT})`,
  'u',
)
export const isChineseWork = (text: string): boolean => WORK.test(text) || BEHIND_OBJECT.test(text)

const BARE = new RegExp(`^(?:请|先)?${ADVERBS}(?:${VERBS})$`, 'u')
const ATTRIBUTE = new RegExp(`^${ADVERBS}(?:${VERBS})的`, 'u')
const NAME = new RegExp(
  `^(?:${VERBS})(?:的|集|流程|效率|性能|脚本|环境|阶段|工具|系统|平台|用例|能力|质量|速度|覆盖率|步骤|问题|功能|服务器)`,
  'u',
)
const CLAUSE = /一[个种款套份]|能够?|可以|用于|用来|负责|支持/u
const WHEN = /(?:后|时|时候|前|的话|情况下|前提下|过程中|期间)$/u
const TAIL_CHARS = 60
const BARE_CHARS = 14

/** Whether `right` is work of its own; `sign` joins it to `left`. */
export function cutsChinese(left: string, right: string, sign: string, { comma }: Joint): boolean {
  if (!isChineseWork(right) || ATTRIBUTE.test(right) || WHEN.test(left)) return false
  if (comma && !sign.includes('、')) return true
  // `安装、配置环境`: both verbs share one object.
  if (NAME.test(right) || (sign.includes('、') && BARE.test(/^[^、，,和与及或]*/u.exec(right)?.[0] ?? ''))) return false
  if (left.length <= BARE_CHARS && BARE.test(left.trim())) return false
  return comma || !(CLAUSE.test(left.slice(-TAIL_CHARS)) && /^[^，。；、]{0,60}的/u.test(right))
}

const POLITE =
  /^(?:请问|请(?![求假教客])你?|麻烦你?|劳烦|帮忙|帮我们?|替我们?|你?能不能|能否|可否|(?:我们?|你)(?:还|也)?(?:想要?|要|需要|希望|应该|得)(?:让|请)?你?|(?:我们?的?|你的|本次的?)?(?:目标|任务)(?:是|[：:])|首先|其次|最后(?!一)|接下来|接着|然后|随后|之后|另外|此外|同时|并且|以及|而且|但是?|注意[：:，,]|还需要?(?=\S)|还要|也要|别忘了?|不要忘记?了?|记得)[，,：:、\s]*/u
const LEADING = /^(?:先|再(?![次现])|也|还|要|需要?|就|尽快|快(?!速)|并|可以|现在|且)[，,\s]*/u

/** `首先，…`: words that only say the order. */
export const isChineseOrder = (text: string): boolean =>
  /^(?:首先|其次|再次|最后|然后|接着|另外|此外|同时|第[一二三四五六七八九十])$/u.test(text)

/** Removes the words before the request itself; `begins` says whether a rest is a request. */
export function politeChinese(text: string, begins: (rest: string) => boolean): string {
  const polite = POLITE.exec(text)
  if (polite !== null) return text.slice(polite[0].length)
  const rest = text.replace(LEADING, '')
  return rest !== text && begins(rest) ? rest : text
}

const CONSTRAINT =
  /^(?:[但且而请也]|但是|并且|而且|同时|过程中|期间|全程){0,3}(?:不要(?!忘)|别(?![人的名墅处称致忘])|请?勿|切勿|不得|不能|不可以?(?!或缺)|不许|不准|不允许|禁止|严禁|避免|必须|务必|一定要|只(?![读要有])|仅(?!仅)|不(?:改变?|修改|动|增加|新增|引入|使用|用|影响|破坏|依赖|超过|删除?|添加|降低|借助|重写|重新)|无需|无须|要求|(?:保持|保证|确保)[^，。；]{1,20}(?:不变|兼容|一致)|限(?:于|定|制在))/u
const OBLIGED =
  /^[^，。；]{1,30}(?:必须|不得|不能超过|不可超过|务必|应当|应该|不允许|(?:需要?|要)(?:在|于|达到|支持|兼容|满足|保证))/u
export const beginsChineseConstraint = (text: string): boolean => CONSTRAINT.test(text)
export const isChineseObliged = (text: string): boolean => OBLIGED.test(text)
export const isChineseConstraint = (text: string): boolean =>
  CONSTRAINT.test(text) || (!isChineseWork(text) && OBLIGED.test(text))
/** A constraint on everything that is listed behind it. */
export const bindsChinese = (text: string): boolean =>
  /^[^，。；]{0,30}?(?:不要|别|勿|不得|不能|不可|不许|不准|不允许|禁止|严禁|避免|必须|务必|一定要)/u.test(text)

const MUST_DO = new RegExp(`^(?:必须|务必|一定要)(?!使用|保持|保证|确保|支持)(?:${ADVERBS}(?:${VERBS}|${SHORT}))`, 'u')
const ONLY_DO = new RegExp(
  `^((?:只能?|仅)(?:使用|用|在|靠|通过|依赖)[^，。；]{1,30}?)(?<![和与及、])(?:${VERBS})(?!的|框架|工具|集|库|环境)|^(?:只能?|仅)(?!使用|采用|支持|限)(?:${VERBS})`,
  'su',
)
/** A constraint that is the task itself when no work comes before it: `必须复现…`, `只用 CPU 复现…`. */
export const obligesChinese = (text: string): boolean => MUST_DO.test(text) || ONLY_DO.test(text)

/** The limiting part of a constraint that holds work: `只用 CPU` of `只用 CPU 复现项目`. */
export const limitOf = (text: string): string => ONLY_DO.exec(text)?.[1]?.trim() ?? text

/** `在不修改接口的前提下，…`: splits off the constraint at the start. */
export function leadingConstraint(text: string): { constraint: string; rest: string } | null {
  const [whole, constraint = ''] =
    /^(?:请)?在?((?:不|只|仅|保持|保证|确保)[^，。；]{1,60}?)(?:的?(?:前提|情况|条件|基础)[下上])[，,\s]*/u.exec(
      text,
    ) ?? []
  return whole === undefined ? null : { constraint, rest: text.slice(whole.length) }
}

const TELLS =
  /^(?:目前|当前|现在|现有|这|该|它|我们?|背景|已有|因为|由于|大家|用户|(?:数据|项目)(?=[在是有]))|^[^，。；,;]{1,20}(?:有问题|有错误|报错了?|出错|崩溃|不够\S?|[太很]\S|不稳定)(?=[，。；,;]|$)/u
/** A statement describes something and asks for no work. */
export const isChineseStatement = (text: string): boolean => TELLS.test(text) && !isChineseWork(text)
/** A hint belongs to the text before it. */
export const isChineseHint = (text: string): boolean => /^(?:如果|若|假如|要是|否则|除非|例如|比如)/u.test(text)
export const isChineseCondition = (text: string): boolean =>
  /^(?:如果|若|假如|要是|一旦|只要|当|除非|等|因为|由于|为了)/u.test(text) ||
  (/^(?:在|基于|根据|针对|对于|关于|给定|利用|通过|按照)/u.test(text) && !isChineseWork(text))
