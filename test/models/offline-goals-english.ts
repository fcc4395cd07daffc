/** Plain requests in English and what the offline rules make of them. The notation is that of offline-goals.ts. */
export const ENGLISH = String.raw`
> Plan my Friday: buy milk, book the dentist at 3pm, and look up who designed the Sydney Opera House
? How long
< 45 minutes
todo: /todo add buy milk --due 2026-11-27 18:00
schedule: /schedule add 2026-11-27 15:00 dentist --duration 45
internet_search: who designed the Sydney Opera House
> buy milk
todo: /todo add buy milk
> buy milk and eggs
todo: /todo add buy milk and eggs
> Buy milk, eggs and bread, then call mum tomorrow at 5pm
todo: /todo add Buy milk, eggs and bread
todo: /todo add call mum --due 2026-11-25 17:00
> add buy stamps to my todo list
todo: /todo add buy stamps
> add a todo: call the bank
todo: /todo add call the bank
> add a task to water the plants tomorrow at 8am with high priority
todo: /todo add water the plants --priority 0 --due 2026-11-25 08:00
> pay rent on the 1st
todo: /todo add pay rent --due 2026-12-01 18:00
> don't forget to renew the passport
todo: /todo add renew the passport
> remind me to call mum at 5pm
todo: /todo add call mum --due 2026-11-24 17:00 --remind 2026-11-24 17:00
> remind me to pay the bill on Friday
todo: /todo add pay the bill --due 2026-11-27 18:00 --remind 2026-11-27 18:00
> remind me to take the cake out in 20 minutes
todo: /todo add take the cake out --due 2026-11-24 12:20 --remind 2026-11-24 12:20
> call the plumber in half an hour
todo: /todo add call the plumber --due 2026-11-24 12:30
> submit taxes by end of day
todo: /todo add submit taxes --due 2026-11-24 18:00
> schedule lunch with Anna next Tuesday at noon for 90 minutes
schedule: /schedule add 2026-12-01 12:00 lunch with Anna --duration 90
> schedule a 30 minute call with Lee on Dec 3 at 10:15
schedule: /schedule add 2026-12-03 10:15 call with Lee --duration 30
> meeting with Bob tomorrow from 3 to 5pm, remind me 10 minutes before
schedule: /schedule add 2026-11-25 15:00 meeting with Bob --duration 120 --remind 2026-11-25 14:50
> dinner at 8 tonight with Sam
schedule: /schedule add 2026-11-24 20:00 dinner with Sam
> put yoga in my calendar tomorrow 7am for an hour
schedule: /schedule add 2026-11-25 07:00 yoga --duration 60
> reserve the meeting room tomorrow 2-4pm
schedule: /schedule add 2026-11-25 14:00 meeting room --duration 120
> standup daily at 9:30am, 15 minutes, remind me 10 minutes before
schedule: /schedule add 2026-11-25 09:30 standup --duration 15 --interval 1440 --remind 2026-11-25 09:20
> every Monday at 9 for 4 times team sync
schedule: /schedule add 2026-11-30 09:00 team sync --interval 10080 --times 4
> yoga every other day at 7am
schedule: /schedule add 2026-11-25 07:00 yoga --interval 2880
> call Grandma every Sunday at 5pm for 10 times
schedule: /schedule add 2026-11-29 17:00 call Grandma --interval 10080 --times 10
> piano lesson on Wednesdays at 4pm for 45 minutes
schedule: /schedule add 2026-11-25 16:00 piano lesson --duration 45 --interval 10080
> show my todos
todo: /todo list
> show overdue tasks
todo: /todo list --view overdue
> what do I have to do today?
todo: /todo list --view today
> show my upcoming tasks
todo: /todo list --view upcoming
> list todos without due date
todo: /todo list --view inbox
> show todos tagged work
todo: /todo list --tag work
> find the todo about milk
todo: /todo search milk
> search my todos for rent
todo: /todo search rent
> mark todo 3 as done
todo: /todo done 3
> finish todos 3, 4 and 5
todo: /todo done 3
todo: /todo done 4
todo: /todo done 5
> buy milk, buy bread, then mark "buy milk" as done
todo: /todo add buy milk
todo: /todo add buy bread
todo: /todo search buy milk
todo: /todo done 1
> delete todo 99
todo: /todo delete 99
> add milk to my list, then delete the milk todo
todo: /todo add milk
todo: /todo search milk
todo: /todo delete 1
> show calendar
schedule: /schedule list
> what's on my calendar tomorrow?
schedule: /schedule view day 2026-11-25
> show my agenda for next week
schedule: /schedule view week 2026-12-01
> what do I have on Monday?
schedule: /schedule view day 2026-11-30
> delete event 7
schedule: /schedule delete 7
> schedule the dentist tomorrow at 10am, then cancel the dentist appointment
schedule: /schedule add 2026-11-25 10:00 dentist
schedule: /schedule list
schedule: /schedule delete 1
> look up cats and dogs, then remind me to feed the cat at 6pm
internet_search: cats and dogs
todo: /todo add feed the cat --due 2026-11-24 18:00 --remind 2026-11-24 18:00
> who designed the Eiffel Tower?
internet_search: who designed the Eiffel Tower
> Google best pizza in Naples
internet_search: best pizza in Naples
> find out when the Louvre opens
internet_search: when the Louvre opens
> search for fish and chips near me
internet_search: fish and chips near me
`
