/** Changes to entries that exist, deletions, refusals and odd repetitions, in Chinese. The notation is that of offline-goals.ts. */
export const CHINESE_CHANGES = String.raw`
> 把和安娜的通话改到四点
+ /schedule add 2026-11-25 15:00 和安娜通话
schedule: /schedule list
todo: /todo search 和安娜的通话
schedule: /schedule update 1 2026-11-25 16:00 和安娜通话
= 已更新日程 #1 周三 2026-11-25 16:00 和安娜通话
> 推迟开会到明天
+ /schedule add 2026-11-24 15:00 开会 --remind 2026-11-24 14:50
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 15:00 开会 --remind 2026-11-25 14:50
> 把开会改名为周会
+ /schedule add 2026-11-24 15:00 开会
schedule: /schedule list
schedule: /schedule update 1 2026-11-24 15:00 周会
> 推迟会议
+ /schedule add 2026-11-25 15:00 项目会议
? 要改到什么时候
< 周五下午三点
schedule: /schedule list
schedule: /schedule update 1 2026-11-27 15:00 项目会议
> 明天把开会改到四点
+ /schedule add 2026-11-25 15:00 开会
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 16:00 开会
> 开会推迟一小时
+ /schedule add 2026-11-25 15:00 开会
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 16:00 开会
> 把明天的会议改到后天下午两点
+ /schedule add 2026-11-25 15:00 项目会议
schedule: /schedule view day 2026-11-25
schedule: /schedule update 1 2026-11-26 14:00 项目会议
> 把跑步改到早上六点
+ /schedule add 2026-11-25 07:00 跑步 --interval 1440
schedule: /schedule list
todo: /todo search 跑步
schedule: /schedule get 1
schedule: /schedule update 1 2026-11-25 06:00 跑步 --interval 1440
= 每一次都随之改变
> 把跑步改到周五
+ /schedule add 2026-11-25 07:00 跑步 --interval 1440
schedule: /schedule list
todo: /todo search 跑步
schedule: /schedule get 1
= 无法只移动其中一天
> 把交房租的截止日期改为周五
+ /todo add 交房租 --due 2026-11-26 18:00
todo: /todo search 交房租
todo: /todo update 1 交房租 --due 2026-11-27 18:00
> 把待办买茶改成买绿茶
+ /todo add 买茶
todo: /todo search 买茶
todo: /todo update 1 买绿茶
> 把开会的提醒改为提前5分钟
= 没有新增任何内容
> 删除买牛奶
+ /todo add 买牛奶
todo: /todo search 买牛奶
schedule: /schedule list
todo: /todo delete 1
= 已删除待办 #1。（买牛奶）
> 取消明天的会议
+ /schedule add 2026-11-25 15:00 项目会议
+ /schedule add 2026-11-26 15:00 部门会议
schedule: /schedule view day 2026-11-25
schedule: /schedule delete 1
> 取消明天的会议
+ /schedule add 2026-11-25 15:00 见客户
? 没有与“会议 2026-11-25”完全匹配的条目
< 不
schedule: /schedule view day 2026-11-25
= 您要求跳过
> 删除所有待办
= 一次只删除或修改一条
> 本周日程
schedule: /schedule view week 2026-11-24
> 下周日程
schedule: /schedule view week 2026-12-01
> 周日日程
schedule: /schedule view day 2026-11-29
> 每天晚上十点提醒我吃药，连续七天
schedule: /schedule add 2026-11-24 22:00 吃药 --interval 1440 --times 7 --remind 2026-11-24 22:00
> 从明天开始每天早上七点跑步
schedule: /schedule add 2026-11-25 07:00 跑步 --interval 1440
> 每天早上8点跑步，直到周日
schedule: /schedule add 2026-11-25 08:00 跑步 --interval 1440 --times 5
> 明天下午三点开会，四点见客户，各30分钟
schedule: /schedule add 2026-11-25 15:00 开会 --duration 30
schedule: /schedule add 2026-11-25 16:00 见客户 --duration 30
> 买牛奶，不要买鸡蛋
todo: /todo add 买牛奶
= 不要买鸡蛋——这是说不要做的事
> 明天
? 要放进日程的是什么事（2026-11-25）
< 看牙医
? 几点开始
< 下午三点
schedule: /schedule add 2026-11-25 15:00 看牙医
> 3月15日全天出差
schedule: /schedule add 2027-03-15 00:00 出差 --duration 1440
> 我明天下午有空吗
schedule: /schedule view day 2026-11-25
> 我下午有空吗
schedule: /schedule view day 2026-11-24
> /todo add 牛奶
= POST /commands
> 把开会改到四点，瑜伽改到五点
= 没有新增任何内容
> 删除明天的跑步
+ /schedule add 2026-11-25 07:00 跑步 --interval 1440
? 只能删除整个重复
< 否
todo: /todo search 跑步
schedule: /schedule view day 2026-11-25
= 您要求跳过
> 把会议改到新地点明天三点
= 没有新增任何内容
`
