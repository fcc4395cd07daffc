/** Plain requests in Chinese and what the offline rules make of them. The notation is that of offline-goals.ts. */
export const CHINESE = String.raw`
> 周五安排：买牛奶，预约下午3点的牙医，再查一下悉尼歌剧院是谁设计的
? 预留多长时间
< 45分钟
todo: /todo add 买牛奶 --due 2026-11-27 18:00
schedule: /schedule add 2026-11-27 15:00 牙医 --duration 45
internet_search: 悉尼歌剧院是谁设计的
> 买牛奶
todo: /todo add 买牛奶
> 买牛奶、鸡蛋和面包
todo: /todo add 买牛奶、鸡蛋和面包
> 买牛奶，然后给妈妈打电话
todo: /todo add 买牛奶
todo: /todo add 给妈妈打电话
> 请把“交房租”加入待办，谢谢！
todo: /todo add 交房租
> 新建一个任务：整理桌面
todo: /todo add 整理桌面
> 添加待办：交水电费，截止周五下午5点，优先级1，标签账单
todo: /todo add 交水电费 --tag 账单 --priority 1 --due 2026-11-27 17:00
> 别忘了给妈妈买生日礼物
todo: /todo add 给妈妈买生日礼物
> 记得周六取快递
todo: /todo add 取快递 --due 2026-11-28 18:00
> 麻烦帮我记一下：周三之前交报告
todo: /todo add 交报告 --due 2026-11-25 18:00
> 周五之前提交报销单，高优先级
todo: /todo add 提交报销单 --priority 0 --due 2026-11-27 18:00
> 月底交房租
todo: /todo add 交房租 --due 2026-11-30 18:00
> 明天早上8点提醒我吃药
todo: /todo add 吃药 --due 2026-11-25 08:00 --remind 2026-11-25 08:00
> 两小时后提醒我关火
todo: /todo add 关火 --due 2026-11-24 14:00 --remind 2026-11-24 14:00
> 半小时后给客户打电话
todo: /todo add 给客户打电话 --due 2026-11-24 12:30
> 三天后还书
todo: /todo add 还书 --due 2026-11-27 18:00
> 明天下午三点开会
schedule: /schedule add 2026-11-25 15:00 开会
> 后天上午十点半和张三见面，时长一个半小时
schedule: /schedule add 2026-11-26 10:30 和张三见面 --duration 90
> 下周二上午十点半面试
schedule: /schedule add 2026-12-01 10:30 面试
> 下个月3号上午9点体检
schedule: /schedule add 2026-12-03 09:00 体检
> 12月5日14:30产品评审
schedule: /schedule add 2026-12-05 14:30 产品评审
> 周六晚上七点看电影
schedule: /schedule add 2026-11-28 19:00 看电影
> 今晚八点跟小李吃饭
schedule: /schedule add 2026-11-24 20:00 跟小李吃饭
> 明天下午3点到5点开项目评审会，提前15分钟提醒我
schedule: /schedule add 2026-11-25 15:00 开项目评审会 --duration 120 --remind 2026-11-25 14:45
> 日程：明天10:00 客户拜访 90分钟
schedule: /schedule add 2026-11-25 10:00 客户拜访 --duration 90
> 把瑜伽课加到日历，明天早上七点，一个小时
schedule: /schedule add 2026-11-25 07:00 瑜伽课 --duration 60
> 预约明天下午两点理发
? 预留多长时间
< 半小时
schedule: /schedule add 2026-11-25 14:00 理发 --duration 30
> 每天早上8点跑步
schedule: /schedule add 2026-11-25 08:00 跑步 --interval 1440
> 每周一上午9点例会，共4次
schedule: /schedule add 2026-11-30 09:00 例会 --interval 10080 --times 4
> 每两周周五下午四点团队周会
schedule: /schedule add 2026-11-27 16:00 团队周会 --interval 20160
> 每隔一天晚上9点浇花
schedule: /schedule add 2026-11-24 21:00 浇花 --interval 2880
> 列出我的待办
todo: /todo list
> 今天的待办有哪些？
todo: /todo list --view today
> 查看逾期的待办
todo: /todo list --view overdue
> 未来几天的待办
todo: /todo list --view upcoming
> 显示标签工作的待办
todo: /todo list --tag 工作
> 查找关于报告的待办
todo: /todo search 报告
> 完成待办3
todo: /todo done 3
> 把待办3标记为完成
todo: /todo done 3
> 买牛奶，再把买牛奶标记为完成
todo: /todo add 买牛奶
todo: /todo search 买牛奶
todo: /todo done 1
> 删除待办 3
todo: /todo delete 3
> 删除买牛奶这个待办
todo: /todo search 买牛奶
> 显示日程
schedule: /schedule list
> 查看明天的日程
schedule: /schedule view day 2026-11-25
> 这周有什么安排？
schedule: /schedule view week 2026-11-24
> 下个月的日程
schedule: /schedule view month 2026-12
> 删除日程 4
schedule: /schedule delete 4
> 搜索上海明天的天气
internet_search: 上海明天的天气
> 查一下悉尼歌剧院是谁设计的
internet_search: 悉尼歌剧院是谁设计的
> 谁发明了电话？
internet_search: 谁发明了电话
> 什么是量子计算
internet_search: 什么是量子计算
`
