// Which pages are rendered first, and which are refused, when many are asked for at a time.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPageQueue, PageQueueError } from './page-queue.ts'

const never = new AbortController().signal
const other = { isForm: false, signal: never }
const form = { isForm: true, signal: never }

/** Its pages begin by their turn, and end when they are told to. */
function openQueue(limits: Partial<Parameters<typeof openPageQueue>[0]> = {}) {
  const queue = openPageQueue({ maxRunning: 1, maxWaiting: 3, maxWaitMs: 60_000, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, request = other) =>
    queue.run(request, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const end = async (name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true)
    ends.get(name)?.()
    await nextTurn()
  }
  return { ask, end, begun }
}

test('pages wait in order, and answers to forms come before the others', async () => {
  const { ask, end, begun } = openQueue()
  const pages = [ask('first'), ask('second'), ask('third'), ask('form', form)]
  await nextTurn()
  expect(begun).toEqual(['first'])
  await end('first')
  await end('form')
  await end('second')
  await end('third')
  expect(begun).toEqual(['first', 'form', 'second', 'third'])
  expect(await Promise.all(pages)).toEqual(['first', 'second', 'third', 'form'])
})

test('where too many wait, the last page is refused, and gives its turn to a form', async () => {
  const { ask, end, begun } = openQueue()
  const [running, second, third, last] = ['running', 'second', 'third', 'last'].map((name) => ask(name))
  await expect(ask('one too many')).rejects.toThrow(PageQueueError)
  const answered = ask('form', form)
  await expect(last).rejects.toThrow(PageQueueError)
  await end('running')
  await end('form')
  await end('second')
  await end('third')
  expect(await Promise.all([running, answered, second, third])).toEqual(begun)
  expect(begun).toEqual(['running', 'form', 'second', 'third'])
})

test('where forms alone wait, one more is refused', async () => {
  const { ask, end } = openQueue()
  const names = ['running', 'second', 'third', 'fourth']
  const pages = names.map((name) => ask(name, form))
  await expect(ask('one too many', form)).rejects.toThrow(PageQueueError)
  for (const name of names) await end(name)
  expect(await Promise.all(pages)).toEqual(names)
})

test('a page waits no longer than its time, and not for a client that has gone', async () => {
  const { ask, end, begun } = openQueue({ maxWaitMs: 20 })
  const running = ask('running')
  await expect(ask('too late')).rejects.toThrow(PageQueueError)
  const client = new AbortController()
  const left = ask('left', { ...other, signal: client.signal })
  client.abort()
  await expect(left).rejects.toThrow(PageQueueError)
  await expect(ask('gone', { ...other, signal: client.signal })).rejects.toThrow(PageQueueError)
  await end('running')
  const next = ask('next')
  await end('next')
  expect(await Promise.all([running, next])).toEqual(begun)
})

test('as many as may run at a time begin in turns of their own, and one that fails makes room', async () => {
  const queue = openPageQueue({ maxRunning: 4, maxWaiting: 20, maxWaitMs: 60_000 })
  const turns: number[] = []
  let turn = 0
  let running = 0
  const counting = new AbortController()
  const count = async (): Promise<void> => {
    for (; !counting.signal.aborted; turn += 1) await nextTurn()
  }
  const counted = count()
  const pages = Array.from({ length: 12 }, (_, at) =>
    queue.run(other, async () => {
      turns.push(turn)
      running += 1
      expect(running).toBeLessThanOrEqual(4)
      await nextTurn()
      await nextTurn()
      running -= 1
      if (at % 3 === 0) throw new Error('not rendered')
    }),
  )
  const outcomes = await Promise.allSettled(pages)
  counting.abort()
  await counted
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  expect(new Set(turns).size).toBe(12)
})
