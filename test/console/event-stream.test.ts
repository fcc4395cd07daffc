/** One event stream: what it tells of the messages that come. */
import { beforeEach, expect, it } from 'vitest'
import { eventStream, type EventStream } from '../../src/console/api/event-stream.ts'
import { EVENT_TYPES } from '../../src/core/terms/plain/wire-names.ts'
import { clockwork } from './clockwork.ts'
import { fakeSource, type FakeSource } from './fake-source.ts'

const { startTimer, pass } = clockwork()
let told: (string | number[])[]
let fake: FakeSource
let stream: EventStream
const begin = (after: number) => {
  told = []
  fake = fakeSource('/events')
  stream = eventStream(fake.source, after, startTimer, {
    onOpen: () => told.push('opened'),
    onEvents: (events) => told.push(events.map(({ seq }) => seq)),
    onLost: (refused) => told.push(refused ? 'refused' : 'lost'),
    onEnd: () => told.push('ended'),
  })
}
beforeEach(() => begin(0))

it('events that arrive together are passed on together, in order', async () => {
  fake.open()
  for (let seq = 1; seq <= 500; seq++) fake.say(seq)
  await pass(0)
  fake.say(501)
  await pass(0)
  expect(told).toEqual(['opened', Array.from({ length: 500 }, (_, index) => index + 1), [501]])
})
it('an event is not passed on twice when the browser reconnects and repeats it', async () => {
  begin(3)
  for (const seq of [2, 3, 4, 5]) fake.say(seq)
  await pass(0)
  fake.fail(false)
  fake.open()
  for (const seq of [4, 5, 6]) fake.say(seq)
  await pass(0)
  expect(told).toEqual([[4, 5], 'lost', 'opened', [6]])
})
it('every event type of the service is received', async () => {
  EVENT_TYPES.forEach((type, index) => fake.say(index + 1, type))
  await pass(0)
  expect(told).toEqual([EVENT_TYPES.map((_, index) => index + 1)])
})
it('events before the end are passed on before it, and later ones not at all', async () => {
  fake.say(1)
  fake.end()
  fake.say(2)
  fake.fail(true)
  await pass(0)
  expect(told).toEqual([[1], 'ended'])
  expect(fake.closed()).toBe(true)
})
it('a closed stream passes nothing on, not even events that had arrived', async () => {
  fake.open()
  fake.say(1)
  stream.close()
  await pass(0)
  expect(told).toEqual(['opened'])
  expect(stream.isOpen()).toBe(false)
})
it('a refusal is distinguished from a broken connection', () => {
  fake.fail(false)
  fake.fail(true)
  expect(told).toEqual(['lost', 'refused'])
})
it('the stream counts as open from its opening to its loss', () => {
  expect(stream.isOpen()).toBe(false)
  fake.open()
  expect(stream.isOpen()).toBe(true)
  fake.fail(false)
  expect(stream.isOpen()).toBe(false)
})
