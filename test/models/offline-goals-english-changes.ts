/** Changes to entries that exist, deletions, refusals and parts that share words, in English. The notation is that of offline-goals.ts. */
export const ENGLISH_CHANGES = String.raw`
> move the call with Anna to 4pm
+ /schedule add 2026-11-25 15:00 call with Anna
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 16:00 call with Anna
= Updated event #1 Wed 2026-11-25 16:00 call with Anna
> move dentist to Monday 4pm
+ /schedule add 2026-11-25 15:00 dentist --duration 45 --remind 2026-11-25 14:30
schedule: /schedule list
schedule: /schedule update 1 2026-11-30 16:00 dentist --remind 2026-11-30 15:30
= (duration 45 min, remind Mon 2026-11-30 15:30)
> change my yoga to 8am
+ /schedule add 2026-11-25 07:00 yoga --interval 1440 --times 9 --remind 2026-11-25 06:50
schedule: /schedule list
schedule: /schedule get 1
schedule: /schedule update 1 2026-11-25 08:00 yoga --interval 1440 --times 9 --remind 2026-11-25 07:50
= 9 occurrences
= It repeats, so this holds for every time.
> move yoga to 8am
+ /schedule add 2026-11-20 07:00 yoga --interval 1440 --remind-start 2026-11-20 06:30
+ /schedule repeat 1 off
@ 2026-11-21 12:00
schedule: /schedule list
schedule: /schedule get 1
schedule: /schedule update 1 2026-11-20 08:00 yoga --interval 1440 --remind-start 2026-11-20 07:30
schedule: /schedule repeat 1 off
> move yoga to Friday
+ /schedule add 2026-11-25 07:00 yoga --interval 1440
schedule: /schedule list
schedule: /schedule get 1
= a single date of it cannot be moved
> change the due date of pay rent to Friday
+ /todo add pay rent --due 2026-11-26 17:00 --remind 2026-11-26 16:00 --tag home
todo: /todo search pay rent
todo: /todo update 1 pay rent --due 2026-11-27 17:00 --remind 2026-11-27 16:00
= [home] pay rent
> update the todo buy tea to buy green tea
+ /todo add buy tea
todo: /todo search buy tea
todo: /todo update 1 buy green tea
> reschedule my dentist appointment
+ /schedule add 2026-11-25 15:00 dentist
? To which date and time
< Friday at 10am
schedule: /schedule list
schedule: /schedule update 1 2026-11-27 10:00 dentist
> reschedule my dentist appointment for next Tuesday at 2pm
schedule: /schedule list
= Not done: Change event: dentist appointment
> postpone the meeting by an hour
+ /schedule add 2026-11-25 15:00 team meeting
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 16:00 team meeting
> postpone pay rent by 2 days
+ /todo add pay rent --due 2026-11-26 18:00
schedule: /schedule list
todo: /todo search pay rent
todo: /todo update 1 pay rent --due 2026-11-28 18:00
> move dentist to Friday morning
+ /schedule add 2026-11-25 15:00 dentist
? At what time on 2026-11-27
< 9am
schedule: /schedule list
schedule: /schedule update 1 2026-11-27 09:00 dentist
> move the flight to Oslo to 3pm tomorrow
+ /schedule add 2026-11-25 15:00 dentist
+ /schedule add 2026-11-26 09:00 flight to Oslo
? does not fit
< 5pm
schedule: /schedule list
schedule: /schedule update 2 2026-11-25 15:00 flight to Oslo
schedule: /schedule update 2 2026-11-25 17:00 flight to Oslo
> move lunch to 1pm
+ /schedule add 2026-11-25 12:00 lunch with Tom
+ /schedule add 2026-11-27 12:00 lunch with Anna
? Several entries match
< 2
schedule: /schedule list
schedule: /schedule update 2 2026-11-27 13:00 lunch with Anna
> move tomorrow's lunch to 1pm
+ /schedule add 2026-11-25 12:00 lunch with Tom
+ /schedule add 2026-11-27 12:00 lunch with Anna
schedule: /schedule view day 2026-11-25
schedule: /schedule update 1 2026-11-25 13:00 lunch with Tom
> tomorrow move dentist to 4pm
+ /schedule add 2026-11-25 15:00 dentist
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 16:00 dentist
> rename team sync to weekly sync
+ /schedule add 2026-11-25 15:00 team sync
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 15:00 weekly sync
> make the team sync weekly
= I added nothing instead
> change the reminder of the dentist to 5 minutes
= I cannot make this change
> change the oil to synthetic
todo: /todo add change the oil to synthetic
> delete the yoga
+ /schedule add 2026-11-25 07:00 yoga
todo: /todo search yoga
schedule: /schedule list
schedule: /schedule delete 1
= Deleted event #1. (yoga)
> delete buy a gift
+ /todo add buy a gift
todo: /todo search buy a gift
schedule: /schedule list
todo: /todo delete 1
> delete milk
+ /todo add buy milk
+ /schedule add 2026-11-27 15:00 milk tasting
? todo 1 (buy milk), event 1 (2026-11-27 15:00 milk tasting)
< the event 1
todo: /todo search milk
schedule: /schedule list
schedule: /schedule delete 1
> cancel my meeting with Anna
+ /schedule add 2026-11-25 15:00 call with Anna
? Nothing matches "meeting with Anna" exactly
< no
schedule: /schedule list
= you asked me to leave it out
> cancel my meeting with Anna
+ /schedule add 2026-11-25 15:00 call with Anna
? Nothing matches "meeting with Anna" exactly
< yes
schedule: /schedule list
schedule: /schedule delete 1
= call with Anna
> delete all my todos
= one entry at a time
> on Tuesday at 2pm, call the bank
todo: /todo add call the bank --due 2026-11-24 14:00
> In an hour, take out the pizza
todo: /todo add take out the pizza --due 2026-11-24 13:00
> In two weeks, submit the tax report
todo: /todo add submit the tax report --due 2026-12-08 18:00
> on Monday, call the bank
todo: /todo add call the bank --due 2026-11-30 18:00
> tomorrow morning: jog
? At what time on 2026-11-25
< 7am
schedule: /schedule add 2026-11-25 07:00 jog
> buy apples tomorrow and pears on Friday
todo: /todo add buy apples --due 2026-11-25 18:00
todo: /todo add buy pears --due 2026-11-27 18:00
> every 3 hours drink water until Sunday
? At what time on 2026-11-24
< 2pm
schedule: /schedule add 2026-11-24 14:00 drink water --interval 180 --times 44
> check the oven every hour from 1pm until 5pm
schedule: /schedule add 2026-11-24 13:00 check the oven --interval 60 --times 5
> dinner at 7 tomorrow evening and movie at 9
schedule: /schedule add 2026-11-25 19:00 dinner
schedule: /schedule add 2026-11-25 21:00 movie
> book dentist Friday 3pm and don't buy milk
? How long
< 30 minutes
schedule: /schedule add 2026-11-27 15:00 dentist --duration 30
= don't buy milk - it says what not to do
> Book room A at 15:00 and room B at 15:00 tomorrow, 30 minutes each
? "room B" does not fit
< 16:00
schedule: /schedule add 2026-11-25 15:00 room A --duration 30
schedule: /schedule add 2026-11-25 15:00 room B --duration 30
schedule: /schedule add 2026-11-25 16:00 room B --duration 30
> tomorrow
? What is to be put into the calendar (2026-11-25)
< dentist
? At what time
< 3pm
schedule: /schedule add 2026-11-25 15:00 dentist
> this week's schedule
schedule: /schedule view week 2026-11-24
> vacation all day today
schedule: /schedule add 2026-11-24 00:00 vacation --duration 1440
> /todo add milk
= Please send it to POST /commands
> cancel tomorrow's yoga
+ /schedule add 2026-11-25 07:00 yoga --interval 1440
? Should all of it go
< no
schedule: /schedule view day 2026-11-25
= you asked me to leave it out
> cancel tomorrow's yoga
+ /schedule add 2026-11-25 07:00 yoga --interval 1440
? Should all of it go
< yes
schedule: /schedule view day 2026-11-25
schedule: /schedule delete 1
> cancel my appointment tomorrow
+ /schedule add 2026-11-25 15:00 dentist
? Is it one of these: 1 (2026-11-25 15:00 dentist)
< yes
schedule: /schedule view day 2026-11-25
schedule: /schedule delete 1
> move dentist to 4pm and yoga to 5pm
+ /schedule add 2026-11-25 15:00 dentist
+ /schedule add 2026-11-26 12:00 yoga
schedule: /schedule list
schedule: /schedule update 1 2026-11-25 16:00 dentist
schedule: /schedule list
schedule: /schedule update 2 2026-11-26 17:00 yoga
> move the meeting with Bob to room 5 at 4pm
= I added nothing instead
> call mum for 30 minutes
todo: /todo add call mum for 30 minutes
`
