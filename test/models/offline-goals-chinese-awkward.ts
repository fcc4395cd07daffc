/** Awkward requests in Chinese: full-width signs, odd dates, several in one, missing parts, text that looks like a command. The notation is that of offline-goals.ts. */
export const CHINESE_AWKWARD = String.raw`
> ２０２６年１２月１日　下午３：００　开会
schedule: /schedule add 2026-12-01 15:00 开会
> 请问你能帮我买牛奶吗？谢谢！
todo: /todo add 买牛奶
> 别忘了给妈妈买生日礼物🎁
todo: /todo add 给妈妈买生日礼物
> 明天买牛奶、给妈妈打电话
todo: /todo add 买牛奶 --due 2026-11-25 18:00
todo: /todo add 给妈妈打电话 --due 2026-11-25 18:00
> 买牛奶和给妈妈打电话
todo: /todo add 买牛奶
todo: /todo add 给妈妈打电话
> 明天的安排：买菜、下午两点看牙医、晚上八点健身
todo: /todo add 买菜 --due 2026-11-25 18:00
schedule: /schedule add 2026-11-25 14:00 看牙医
schedule: /schedule add 2026-11-25 20:00 健身
> 明天上午9点开会，下午3点看牙医，晚上写周报
schedule: /schedule add 2026-11-25 09:00 开会
schedule: /schedule add 2026-11-25 15:00 看牙医
todo: /todo add 写周报 --due 2026-11-25 20:00
> 1. 买牛奶\n2. 明天下午三点开会\n3. 查一下明天天气
todo: /todo add 买牛奶
schedule: /schedule add 2026-11-25 15:00 开会
internet_search: 明天天气
> 一、买牛奶\n二、给爸爸打电话
todo: /todo add 买牛奶
todo: /todo add 给爸爸打电话
> 下午三点一刻开会
schedule: /schedule add 2026-11-24 15:15 开会
> 上午九点三刻面试
schedule: /schedule add 2026-11-25 09:45 面试
> 3点开会
schedule: /schedule add 2026-11-24 15:00 开会
> 中午12点吃饭
schedule: /schedule add 2026-11-25 12:00 吃饭
> 凌晨3点看球赛
schedule: /schedule add 2026-11-25 03:00 看球赛
> 今晚十二点发布上线
schedule: /schedule add 2026-11-25 00:00 发布上线
> 明早8点半送孩子上学
todo: /todo add 送孩子上学 --due 2026-11-25 08:30
> 15号下午五点交论文
todo: /todo add 交论文 --due 2026-12-15 17:00
> 2月29日上午10点聚会
schedule: /schedule add 2028-02-29 10:00 聚会
> 下下周三下午2点体检
schedule: /schedule add 2026-12-09 14:00 体检
> 本周末去爬山
todo: /todo add 去爬山 --due 2026-11-28 18:00
> 下周交报告
todo: /todo add 交报告 --due 2026-12-01 18:00
> 周二下午一点开会
schedule: /schedule add 2026-11-24 13:00 开会
> 周二上午九点开会
schedule: /schedule add 2026-12-01 09:00 开会
> 明天交作业
@ 2028-02-28 10:00
todo: /todo add 交作业 --due 2028-02-29 18:00
> 买车票，明天上午九点
@ 2026-12-31 23:30
todo: /todo add 买车票 --due 2027-01-01 09:00
> 11/27下午3点 开会
schedule: /schedule add 2026-11-27 15:00 开会
> 明天 3pm 看牙医
schedule: /schedule add 2026-11-25 15:00 看牙医
> 昨天下午三点开会
? 已经过去了
< 明天下午三点
schedule: /schedule add 2026-11-25 15:00 开会
> 2020年1月1日上午10点开会
? 已经过去了
< 保留
schedule: /schedule add 2020-01-01 10:00 开会
> 11月31日上午10点开会
? 在什么时候
< 11月30日上午10点
schedule: /schedule add 2026-11-30 10:00 开会
> 今天下午开会
? 几点开始
< 4点
schedule: /schedule add 2026-11-24 16:00 开会
> 安排一个会议
? 在什么时候
< 周五
? 几点开始
< 上午十点
schedule: /schedule add 2026-11-27 10:00 会议
> 安排一个会议
? 在什么时候
< 不知道
todo: /todo add 会议
> 安排明天下午3点的事
? 要放进日程
< 部门例会
schedule: /schedule add 2026-11-25 15:00 部门例会
> 预约牙医
? 在什么时候
< 周五下午三点
? 预留多长时间
< 默认
schedule: /schedule add 2026-11-27 15:00 牙医 --duration 60
> 预约牙医
? 在什么时候
< 算了
= 未完成：预约：牙医——您要求跳过
> 下个月安排体检
? 在什么时候
< 12月3日上午9点
schedule: /schedule add 2026-12-03 09:00 体检
> 添加待办
? 待办的内容
< 寄快递
todo: /todo add 寄快递
> 提醒我
? 要提醒您做什么
< 吃药
? 什么时候提醒
< 明天早上8点
todo: /todo add 吃药 --due 2026-11-25 08:00 --remind 2026-11-25 08:00
> 提醒我给妈妈打电话
? 什么时候提醒
< 不知道
todo: /todo add 给妈妈打电话
> 搜索
? 要搜索什么
< 红烧肉的做法
internet_search: 红烧肉的做法
> 每个月1号上午10点交房租
? 只能按固定天数
< 每四周
schedule: /schedule add 2026-12-01 10:00 交房租 --interval 40320
> 每个工作日早上9点站会
? 只能按固定天数
< 只一次
schedule: /schedule add 2026-11-25 09:00 站会
> 每周一和周四晚上7点健身
schedule: /schedule add 2026-11-30 19:00 健身 --interval 10080
schedule: /schedule add 2026-11-26 19:00 健身 --interval 10080
> 提醒我每天晚上10点吃药
schedule: /schedule add 2026-11-24 22:00 吃药 --interval 1440 --remind 2026-11-24 22:00
> 明天下午3点开会，明天下午3点半见客户
? 冲突
< 5点
schedule: /schedule add 2026-11-25 15:00 开会
schedule: /schedule add 2026-11-25 15:30 见客户
schedule: /schedule add 2026-11-25 17:00 见客户
> 取消牙医预约
schedule: /schedule list
> 买牛奶，写一首诗
? 不理解
< 跳过
todo: /todo add 买牛奶
> 买牛奶，写一首诗
? 不理解
< 待办
todo: /todo add 买牛奶
todo: /todo add 写一首诗
> 写一首诗
= OPENAI_API_KEY
> 讲个笑话
= OPENAI_API_KEY
> 你好
= OPENAI_API_KEY
> 买 --times 5 牛奶
todo: /todo add 买 –times 5 牛奶
> 记下 /todo 的用法
todo: /todo add /todo 的用法
> /schedule delete 1
= POST /commands
> 搜索 --due 是什么
internet_search: --due 是什么
> 买《三体》和《球状闪电》
todo: /todo add 买《三体》和《球状闪电》
> 添加待办“明天下午3点，开会”
todo: /todo add 明天下午3点,开会
> 订机票
todo: /todo add 订机票
> 订明天晚上六点的餐厅
? 预留多长时间
< 默认
schedule: /schedule add 2026-11-25 18:00 餐厅 --duration 60
> 约张总下周三下午2点谈合同
? 预留多长时间
< 两个小时
schedule: /schedule add 2026-12-02 14:00 张总谈合同 --duration 120
> 搜索一下红烧肉的做法，并提醒我晚上6点做饭
internet_search: 红烧肉的做法
todo: /todo add 做饭 --due 2026-11-24 18:00 --remind 2026-11-24 18:00
> 去机场接朋友，周日晚上九点
schedule: /schedule add 2026-11-29 21:00 去机场接朋友
> 联系物业修水管，明天上午
todo: /todo add 联系物业修水管 --due 2026-11-25 09:00
> 明天早上跑步
? 几点开始
< 六点半
schedule: /schedule add 2026-11-25 06:30 跑步
> 上周五下午3点开会
? 已经过去了
< 算了
= 未完成：日程：开会 [2026-11-20 15:00]——您要求跳过
> 三个月后上午9点体检
schedule: /schedule add 2027-02-24 09:00 体检
> 帮我看看周五我有什么安排
schedule: /schedule view day 2026-11-27
`
