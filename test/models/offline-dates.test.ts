/** Natural dates and lengths of time; the expectations hold in every zone of the machine. */
import { describe, expect, it } from 'vitest'
import { momentNow } from '../../src/models/offline/context.ts'
import { readWhen } from '../../src/models/offline/time/dates.ts'
import { minutesIn } from '../../src/models/offline/time/numbers.ts'

/** A Tuesday. */
const NOW = '2026-11-24 12:00'

describe('natural dates', () => {
  it.each([
    ['next Tuesday 3pm', '2026-12-01', '15:00'],
    ['tuesday', '2026-11-24', null],
    ['Tuesday at 9', '2026-12-01', '09:00'],
    ['tomorrow at noon', '2026-11-25', '12:00'],
    ['in two hours', '2026-11-24', '14:00'],
    ['in 13 hours', '2026-11-25', '01:00'],
    ['90 minutes from now', '2026-11-24', '13:30'],
    ['in 3 days at 9am', '2026-11-27', '09:00'],
    ['day after tomorrow at three', '2026-11-26', '15:00'],
    ['at midnight', null, '00:00'],
    ['12am', null, '00:00'],
    ['quarter to five', null, '16:45'],
    ['at 17h30', null, '17:30'],
    ['03:00', null, '03:00'],
    ["8 o'clock tomorrow evening", '2026-11-25', '20:00'],
    ['on the 5th at 3pm', '2026-12-05', '15:00'],
    ['on the 31st', '2026-12-31', null],
    ['Feb 29 at 10am', '2028-02-29', '10:00'],
    ['on 1 Jan at 10am', '2027-01-01', '10:00'],
    ['this weekend', '2026-11-28', null],
    ['Friday next week', '2026-12-04', null],
    ['27/11/2026', '2026-11-27', null],
    ['下周二上午十点半', '2026-12-01', '10:30'],
    ['这周日', '2026-11-29', null],
    ['下下周三下午2点', '2026-12-09', '14:00'],
    ['明晚12点', '2026-11-26', '00:00'],
    ['三点一刻', null, '15:15'],
    ['大后天', '2026-11-27', null],
    ['一个半小时后', '2026-11-24', '13:30'],
    ['两个星期后', '2026-12-08', null],
    ['二十号下午五点', '2026-12-20', '17:00'],
    ['2026年12月1日14:30', '2026-12-01', '14:30'],
    ['月底', '2026-11-30', null],
    ['11/27下午3点', '2026-11-27', '15:00'],
  ])('%s', (text, date, time) => {
    expect(readWhen(text, momentNow(NOW))).toMatchObject({ date, time })
  })

  it.each([
    ['tomorrow', '2026-11-30 23:50', '2026-12-01'],
    ['tomorrow', '2026-12-31 23:50', '2027-01-01'],
    ['tomorrow', '2028-02-28 00:10', '2028-02-29'],
    ['tomorrow', '2026-03-07 23:30', '2026-03-08'],
    ['tomorrow', '2026-03-08 02:30', '2026-03-09'],
    ['tomorrow', '2026-11-01 01:30', '2026-11-02'],
    ['in 2 hours', '2026-03-08 01:00', '2026-03-08'],
    ['后天', '2026-02-27 08:00', '2026-03-01'],
    ['下个月3号', '2026-12-15 08:00', '2027-01-03'],
  ])('%s said on %s', (text, now, date) => {
    expect(readWhen(text, momentNow(now))?.date).toBe(date)
  })

  it.each([
    ['from 3 to 5pm', '15:00', 120],
    ['9 to 10:30 on Monday', '09:00', 90],
    ['11pm-1am', '23:00', 120],
    ['下午3点到5点', '15:00', 120],
    ['下午三点至四点半', '15:00', 90],
  ])('the range %s has the right length', (text, time, length) => {
    expect(readWhen(text, momentNow(NOW))).toMatchObject({ time, length })
  })

  it.each(['buy sun cream', 'buy 1/2 kg flour', 'march on', 'read chapter 7', '买三瓶水', '第3号楼', 'hello'])(
    '%s names no date',
    (text) => {
      expect(readWhen(text, momentNow(NOW))).toBeNull()
    },
  )
})

describe('lengths of time', () => {
  it.each([
    ['45 minutes', 45],
    ['an hour', 60],
    ['an hour and a half', 90],
    ['half an hour', 30],
    ['1 hour 30 minutes', 90],
    ['1.5 hours', 90],
    ['two hours', 120],
    ['about 30', 30],
    ['30', 30],
    ['半小时', 30],
    ['半个小时', 30],
    ['一个半小时', 90],
    ['两个小时', 120],
    ['一小时三十分钟', 90],
    ['三刻钟', 45],
    ['四十五分钟', 45],
    ['九十分钟', 90],
    ['default', null],
    ['0', null],
    ['hm', null],
    ['', null],
  ])('%s', (text, minutes) => {
    expect(minutesIn(text)).toBe(minutes)
  })
})
