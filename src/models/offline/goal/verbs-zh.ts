/** The words that identify a Chinese request. */
import { withoutPoliteEnds } from './ends.ts'

const POLITE_BEFORE =
  /^(?:请问|你?能(?:不能|否)?(?:帮我|给我)|请你|请|麻烦你?|劳烦|帮忙|帮我|替我|给我(?!打)|能不能|能否|可不可以|可以|你好|您好|嗨|嘿|我想要?|我要|我需要|我得|我该|我还要|还要|还得|需要|想要|要(?=去|买|给|交|开|做)|记得要|那么|那就|首先|先|再(?!见)|也|还有|另外|顺便|然后|接着|最后|以及|并且?|一下|快|赶紧|马上)[\s,!:]*/u
const POLITE_AFTER =
  /(?:谢谢你?您?|多谢|感谢|拜托了?|好吗|可以吗|行吗|好不好|吗\??|吧|哦|啊|呢|嘛|呀|(?<![!.…~～])[!.…~～]+|\p{Extended_Pictographic}\uFE0F?)$/u

/** Removes greetings and politeness from both ends. */
export const stripPoliteZh = (text: string): string => withoutPoliteEnds(text, POLITE_BEFORE, POLITE_AFTER)

const COMMANDS =
  '添加|新增|增加|新建|创建|加入|加一[个条]|记一下|记下|记录|记得|别忘了?|不要忘|提醒|安排|预约|预订|预定|约(?!会)|搜索|搜一?下|搜搜|查一?下|查查|查询|查找|查看|上网查|百度|谷歌|列出|显示|看看我|删除|删掉|取消|完成|标记|把|推迟|延后|延期|改期|重命名|提前\\d*.{0,6}(?:提醒|通知)|写一|画|翻译'
const ERRANDS =
  '去?买|去?购买|采购|打电话|致电|打(?=扫|印|包|卡)|给\\S{1,8}(?:打|发|写|买|寄|送|回|做|交|喂|换|洗|浇|缴)|跟\\S{1,8}(?:联系|沟通|确认)|联系|通知|交(?!通|流会)|付|缴|还(?=书|钱|款|信用卡|车|给)|寄|去?取|去?拿|去?接(?!着)|送|洗|晒|做|煮|烤|打扫|收拾|整理|清理|清洗|写(?=信|邮件|报告|作业|周报|日报|总结|检讨|论文|日记)|发(?=邮件|送|消息|微信|短信|快递|货)|回复|回(?=邮件|电话|信)|阅?读|看(?=书|完)|复习|预习|练习?|学习?(?!校)|充(?=值|电|话)|订(?=餐|票|机票|酒店|花|蛋糕|位)|修|更换|换|遛|喂|浇|倒垃圾|扔|准备|提交|续(?=费|签|借)|询问|问|检查|更新|升级|安装|备份|下载|上传|签(?=字|合同|收)|办(?!公)|申请|报名|退(?=货|款|票)|拖地|擦|剪|租|搬|打印|吃药|带(?=孩子|猫|狗|上)|关(?=灯|窗|门|煤气)|锁门|开(?=发票|证明)|拜访|看望|请(?=假)|去(?!年|世)'
/** A negated request; `不要忘记` is not negated. */
export const isNegatedZh = (text: string) =>
  /^(?:但是?|不过|请)?(?:不要|别|不用|不必|无需|不需要|请勿)(?!忘|[的人墅])\S/u.test(text)

/** Activities that take place at a time. */
const MEETINGS =
  '开会|开(?=\\S{0,6}会)|见|与\\S{1,12}(?:见面|会面|开会|吃饭|聚|谈)|和\\S{1,12}(?:见面|会面|开会|吃饭|聚|谈|看电影|打球|喝)|跟\\S{1,12}(?:见面|会面|开会|吃饭|聚|谈|喝)|参加|面试|体检|看(?=牙|医生|病|电影|展|演出|比赛|房)|吃(?=饭|早饭|午饭|晚饭|火锅)|聚餐|聚会|上课|上(?=\\S{0,6}课)|健身|跑步|游泳|打(?=球|羽毛球|篮球|网球|疫苗)|拍照|坐(?=飞机|高铁|火车)|去(?=机场|医院|健身房|上海|北京|车站)'

const STARTS = new RegExp(`^(?:${COMMANDS}|${ERRANDS}|${MEETINGS})`, 'u')
const WHEN_LEAD =
  /^(?:(?:今|明|后|大后)(?:天|日|晚|早)?|下下?个?周[一二三四五六日天末]?|(?:这|本)?周(?:[一二三四五六天末]|日(?!程))|星期[一二三四五六日天]|每(?:天|周|月|日)[一二三四五六日天]?|早上|上午|中午|下午|傍晚|晚上|凌晨|[\d一二两三四五六七八九十]{1,3}(?:点|:)(?:半|[\d一二三四五六七八九十]{1,3}分?)?|[\d一二三四五六七八九十]{1,3}[月号日]|\s)+/u

/** Whether a text without its politeness starts with a request; a date may come before it. */
export function startsRequestZh(text: string): boolean {
  const bare = stripPoliteZh(text.replace(WHEN_LEAD, ''))
  return STARTS.test(bare)
}
const ERRAND = new RegExp(`^(?:去|要)?(?:${ERRANDS})`, 'u')
const MEETING = new RegExp(`^(?:去|要)?(?:${MEETINGS})`, 'u')
export const isErrandZh = (text: string) => ERRAND.test(text) && !/首诗|作诗|笑话|故事|一幅|代码|程序|歌词/u.test(text)
export const isMeetingZh = (text: string) => MEETING.test(text)
export const namesEventZh = (text: string) =>
  /会议|例会|晨会|周会|站会|[开年班]会|牙医|医生|面试|体检|约会|聚餐|聚会|饭局|午餐|晚餐|早餐|午饭|晚饭|课$|课程|培训|讲座|健身|瑜伽|电影|演唱会|婚礼|生日|航班|飞机|高铁|火车|考试|答辩|活动|比赛|理发|看牙|拔牙|按摩|保养|家访|路演/u.test(
    text,
  )
export const isEmptySubjectZh = (text: string) =>
  /^(?:一[个件条项下])?(?:新的?)?(?:某?事情?|东西|日程|待办(?:事项)?|任务|安排|活动|提醒|预约|什么|它|这个|那个|我)?$/u.test(
    text.trim(),
  )
