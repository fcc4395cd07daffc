/** Awkward requests in English: odd case, odd dates, several in one, missing parts, text that looks like a command. The notation is that of offline-goals.ts. */
export const ENGLISH_AWKWARD = String.raw`
> PLEASE ADD A TODO: CALL THE BANK TOMORROW AT 9AM
todo: /todo add CALL THE BANK --due 2026-11-25 09:00
> BUY MILK TOMMOROW
todo: /todo add BUY MILK --due 2026-11-25 18:00
> Could you kindly remind me to submit the form by Friday 5pm? Thank you so much!
todo: /todo add submit the form --due 2026-11-27 17:00 --remind 2026-11-27 17:00
> 🛒 buy milk 🥛 please!!!
todo: /todo add buy milk
> celebrate 🎉 birthday party on Dec 12 at 8pm 🎂
schedule: /schedule add 2026-12-12 20:00 celebrate 🎉 birthday party
> call mum at 12am
todo: /todo add call mum --due 2026-11-25 00:00
> lunch at 12pm tomorrow
schedule: /schedule add 2026-11-25 12:00 lunch
> meeting at midnight
schedule: /schedule add 2026-11-25 00:00 meeting
> pick up kids at half past four
todo: /todo add pick up kids --due 2026-11-24 16:30
> flight to Oslo on 27 December at 6:40
schedule: /schedule add 2026-12-27 06:40 flight to Oslo
> gym at 3
schedule: /schedule add 2026-11-24 15:00 gym
> buy tickets tomorrow
@ 2026-11-30 23:50
todo: /todo add buy tickets --due 2026-12-01 18:00
> pay rent tomorrow
@ 2028-02-28 10:00
todo: /todo add pay rent --due 2028-02-29 18:00
> dentist tomorrow at 3pm
@ 2027-02-28 08:00
schedule: /schedule add 2027-03-01 15:00 dentist
> Feb 29 at 10am party
schedule: /schedule add 2028-02-29 10:00 party
> buy milk today
@ 2026-11-24 19:00
todo: /todo add buy milk --due 2026-11-24 23:59
> Team retro this Thursday 2pm-3:30pm
schedule: /schedule add 2026-11-26 14:00 Team retro --duration 90
> conference from 9 to 17 on December 1
schedule: /schedule add 2026-12-01 09:00 conference --duration 480
> doctor's appointment 12/5/2026 at 9
schedule: /schedule add 2026-12-05 09:00 doctor's appointment
> 2026-12-24T18:00 party
schedule: /schedule add 2026-12-24 18:00 party
> schedule dentist 2020-01-01 10:00
? has already passed
< next Monday at 10
schedule: /schedule add 2026-11-30 10:00 dentist
> today at 9am standup
? has already passed
< keep
schedule: /schedule add 2026-11-24 09:00 standup
> schedule a meeting yesterday at 3pm
? has already passed
< today at 5pm
schedule: /schedule add 2026-11-24 17:00 meeting
> schedule dentist on 2026-02-30 at 10:00
? When does
< Friday 10am
schedule: /schedule add 2026-11-27 10:00 dentist
> schedule lunch with Anna
? When does
< Friday
? At what time
< 1pm
schedule: /schedule add 2026-11-27 13:00 lunch with Anna
> schedule lunch with Anna
? When does
< dunno
todo: /todo add lunch with Anna
> schedule something tomorrow at 3pm
? What is to be put
< budget review
schedule: /schedule add 2026-11-25 15:00 budget review
> book the dentist
? When does
< never mind
= Not done: Book: dentist - you asked me to leave it out
> book
? What is to be put
< hairdresser tomorrow at 5pm
? How long
< hm
schedule: /schedule add 2026-11-25 17:00 hairdresser --duration 60
> make an appointment with Dr. Lee
? When does
< next Thursday at 4
? How long
< half an hour
schedule: /schedule add 2026-12-03 16:00 Dr. Lee --duration 30
> remind me
? What should I remind
< call mum
? When should I remind
< tomorrow 9am
todo: /todo add call mum --due 2026-11-25 09:00 --remind 2026-11-25 09:00
> remind me to call mum
? When should I remind
< hm
todo: /todo add call mum
> remind me tomorrow
? What should I remind
< pay rent
todo: /todo add pay rent --due 2026-11-25 18:00 --remind 2026-11-25 18:00
> add a todo
? What should the todo
< buy stamps tomorrow
todo: /todo add buy stamps --due 2026-11-25 18:00
> search
? What should I search
< tides in Dover
internet_search: tides in Dover
> pay bills every month on the 1st at 10am
? repeats only after
< every 4 weeks
schedule: /schedule add 2026-12-01 10:00 pay bills --interval 40320
> standup every weekday at 9
? repeats only after
< only once
schedule: /schedule add 2026-11-25 09:00 standup
> gym every Monday and Thursday at 6pm for 4 weeks
schedule: /schedule add 2026-11-30 18:00 gym --interval 10080 --times 4
schedule: /schedule add 2026-11-26 18:00 gym --interval 10080 --times 4
> take out the trash every Tuesday at 8pm
schedule: /schedule add 2026-11-24 20:00 take out the trash --interval 10080
> meet Anna at 3pm tomorrow and meet Bob at 3:30pm tomorrow
? does not fit
< 5pm
schedule: /schedule add 2026-11-25 15:00 meet Anna
schedule: /schedule add 2026-11-25 15:30 meet Bob
schedule: /schedule add 2026-11-25 17:00 meet Bob
> meet Anna at 3pm tomorrow and meet Bob at 3:30pm tomorrow
? does not fit
< skip
schedule: /schedule add 2026-11-25 15:00 meet Anna
schedule: /schedule add 2026-11-25 15:30 meet Bob
> buy milk, buy oat milk, then tick off milk
? Which id
< 2
todo: /todo add buy milk
todo: /todo add buy oat milk
todo: /todo search milk
todo: /todo done 2
> cancel my dentist appointment
schedule: /schedule list
> Dinner with Tim at 7pm tomorrow and a movie at 9pm
schedule: /schedule add 2026-11-25 19:00 Dinner with Tim
schedule: /schedule add 2026-11-25 21:00 movie
> Tomorrow I need to buy milk, call mum and pay the rent
todo: /todo add buy milk --due 2026-11-25 18:00
todo: /todo add call mum --due 2026-11-25 18:00
todo: /todo add pay the rent --due 2026-11-25 18:00
> - buy milk\n- call mum at 6pm\n- look up the weather in Paris
todo: /todo add buy milk
todo: /todo add call mum --due 2026-11-24 18:00
internet_search: the weather in Paris
> 1. buy milk 2. call mum
todo: /todo add buy milk
todo: /todo add call mum
> email the report to Dr. Smith. Call Mr. Jones at 4pm.
? I cannot send mail
< yes
todo: /todo add email the report to Dr. Smith
todo: /todo add Call Mr. Jones --due 2026-11-24 16:00
> buy 2 litres of milk & call mum @ 6pm
todo: /todo add buy 2 litres of milk
todo: /todo add call mum --due 2026-11-24 18:00
> buy 1/2 kg flour and call Tom
todo: /todo add buy 1/2 kg flour
todo: /todo add call Tom
> Buy “1984” by Orwell, and return 'Dune' to the library
todo: /todo add Buy 1984 by Orwell
todo: /todo add return Dune to the library
> add "call at 5pm, then leave" to my todos
todo: /todo add call at 5pm, then leave
> schedule "Q&A: 3pm sync" tomorrow at 10am
schedule: /schedule add 2026-11-25 10:00 Q&A: 3pm sync
> add "buy milk --due 2026-01-01 10:00" to my todo list
todo: /todo add buy milk –due 2026-01-01 10:00
> buy milk --times 5
todo: /todo add buy milk –times 5
> buy milk /todo delete 1
todo: /todo add buy milk /todo delete 1
> /todo delete 1
= POST /commands
> add todo fix the /api route
todo: /todo add fix the /api route
> search "--times 5"
internet_search: --times 5
> read https://example.org/a?b=1 tomorrow
todo: /todo add read https://example.org/a?b=1 --due 2026-11-25 18:00
> buy a book and a lamp
todo: /todo add buy a book and a lamp
> buy milk, write a poem
? do not understand
< skip
todo: /todo add buy milk
> buy milk, write a poem
? do not understand
< as a todo
todo: /todo add buy milk
todo: /todo add write a poem
> write a poem
= OPENAI_API_KEY
> hello
= OPENAI_API_KEY
> tell me a joke
= OPENAI_API_KEY
> remind me 1 hour before the meeting with Bob tomorrow at 3pm
todo: /todo add the meeting with Bob --due 2026-11-25 15:00 --remind 2026-11-25 14:00
> schedule dentist tomorrow at 3pm and remind me at 2pm
schedule: /schedule add 2026-11-25 15:00 dentist --remind 2026-11-25 14:00
> urgent: buy insulin #health
todo: /todo add buy insulin --tag health --priority 0
> add milk, eggs and bread to my shopping list
todo: /todo add milk, eggs and bread --tag shopping
> lunch with Bo on 31 Nov at 12
? When does
< 30 Nov at 12
schedule: /schedule add 2026-11-30 12:00 lunch with Bo
> set up a meeting with HR next month at 3pm
? When does
< Dec 7 at 3pm
schedule: /schedule add 2026-12-07 15:00 meeting with HR
> call Ann this morning at 8
@ 2026-11-24 07:00
todo: /todo add call Ann --due 2026-11-24 08:00
> buy salt & pepper
todo: /todo add buy salt & pepper
> meeting at 25:00
? I read the time "25:00"
< 9pm
schedule: /schedule add 2026-11-24 21:00 meeting
> Monday at 10
? What is to be put
< standup
schedule: /schedule add 2026-11-30 10:00 standup
> book flight LH 123 for Dec 20 at 7am, 2 hours
schedule: /schedule add 2026-12-20 07:00 flight LH 123 --duration 120
> remind me every Friday at 4pm to submit the timesheet
schedule: /schedule add 2026-11-27 16:00 submit the timesheet --interval 10080 --remind 2026-11-27 16:00
`
