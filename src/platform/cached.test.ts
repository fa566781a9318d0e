// Rules of a value that is made once, cached, and dropped.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cached, memoizeLast, rememberLast } from './cached.ts'

/** Makes 1, 2, 3 …; `gate` holds a making up, `fail` spoils the ones that follow. */
function openWorkshop() {
  const workshop = {
    made: 0,
    gate: undefined as Promise<void> | undefined,
    fail: false,
    errors: [] as unknown[],
    make: async () => {
      const value = ++workshop.made
      const { fail } = workshop
      await workshop.gate
      if (fail) throw new Error(`making ${value} failed`)
      return value
    },
  }
  return workshop
}

test('many callers wait for one making, and later ones get what it made', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, (error) => workshop.errors.push(error))
  expect(workshop.made).toBe(0)
  expect(await Promise.all([cache.get(), cache.get(), cache.get()])).toEqual([1, 1, 1])
  expect(await cache.get()).toBe(1)
  cache.drop()
  cache.drop()
  expect(workshop.made).toBe(1)
  expect(await cache.get()).toBe(2)
})

test('a call after a drop gets what was made after it; a call before it does not wait for that', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, (error) => workshop.errors.push(error))
  const gate = Promise.withResolvers<void>()
  workshop.gate = gate.promise
  const early = cache.get()
  cache.drop()
  const late = cache.get()
  gate.resolve()
  expect(await Promise.all([early, late])).toEqual([1, 2])
  expect(await cache.get()).toBe(2)
})

test('twenty drops during one making lead to one more, and nobody waits for a third', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, (error) => workshop.errors.push(error))
  const gate = Promise.withResolvers<void>()
  workshop.gate = gate.promise
  void cache.get()
  const waiting = Array.from({ length: 20 }, async () => {
    cache.drop()
    return cache.get()
  })
  gate.resolve()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([2]))
  expect([await cache.get(), workshop.made]).toEqual([2, 2])
})

test('drops that never stop keep nobody waiting', async () => {
  const workshop = openWorkshop()
  const cache = cached(
    async () => {
      const value = await workshop.make()
      cache.drop()
      return value
    },
    (error) => workshop.errors.push(error),
  )
  expect(await Promise.all([cache.get(), cache.get()])).toEqual([1, 1])
  expect(await cache.get()).toBe(2)
})

test('a making that fails is followed by the one that was asked for meanwhile', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, (error) => workshop.errors.push(error))
  workshop.fail = true
  const gate = Promise.withResolvers<void>()
  workshop.gate = gate.promise
  const early = cache.get()
  cache.drop()
  const late = cache.get()
  workshop.fail = false
  gate.resolve()
  await expect(early).rejects.toThrow('making 1 failed')
  expect(await late).toBe(2)
})

test('when making fails the last good value is served, and the next call tries again', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, (error) => workshop.errors.push(error))
  await cache.get()
  cache.drop()
  workshop.fail = true
  expect(await Promise.all([cache.get(), cache.get()])).toEqual([1, 1])
  expect(workshop.errors.map(String)).toEqual(['Error: making 2 failed'])
  workshop.fail = false
  expect(await cache.get()).toBe(3)
})

test('when the very first making fails its error is the response, and the next call tries again', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, (error) => workshop.errors.push(error))
  workshop.fail = true
  await expect(cache.get()).rejects.toThrow('making 1 failed')
  expect(workshop.errors).toEqual([])
  workshop.fail = false
  expect(await cache.get()).toBe(2)
})

test('who cannot wait gets the last value once a reading is late, at once while it stays late, and the new one after it', async () => {
  let value = 1
  let gate: Promise<void> | undefined
  const cache = cached(
    async (read) => {
      const made = value
      if (gate) await read(gate)
      return made
    },
    () => undefined,
  )
  const blocked = Promise.withResolvers<void>()
  expect(await cache.get()).toBe(1)
  gate = blocked.promise
  value = 2
  cache.drop()
  expect(await cache.getOrStale()).toBe(1)
  expect(cache.getOrStale()).toBe(1)
  expect(await cache.getOrStale(async () => 0)).toBe(0)
  let isWaiting = true
  const strict = Promise.resolve(cache.get()).then((made) => {
    isWaiting = false
    return made
  })
  expect(await cache.getOrStale()).toBe(1)
  expect(isWaiting).toBe(true)
  gate = undefined
  blocked.resolve()
  expect(await strict).toBe(2)
  expect(await cache.getOrStale()).toBe(2)
})

test('who cannot wait is kept by no reading that stays late when another one ends', async () => {
  let reads: Promise<void>[] = []
  const cache = cached(
    async (read) => {
      await Promise.all(reads.map(read))
      return 1
    },
    () => undefined,
  )
  expect(await cache.get()).toBe(1)
  const [refused, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  reads = [refused.promise, silent.promise]
  cache.drop()
  expect(await cache.getOrStale()).toBe(1)
  refused.reject(new Error('timeout expired'))
  await cache.get()
  reads = [new Promise(() => undefined)]
  cache.drop()
  void cache.get()
  await sleep(100)
  silent.resolve()
  await sleep(0)
  expect(await Promise.race([cache.getOrStale(), sleep(1_000, 'waiting')])).toBe(1)
})

test('what this process has changed is in the last value before the change is acknowledged', async () => {
  let value = 1
  let gate: Promise<void> | undefined
  const cache = cached(
    async (read) => {
      const made = value
      if (gate) await read(gate)
      return made
    },
    () => undefined,
  )
  expect(await cache.getOrStale()).toBe(1)
  const slow = Promise.withResolvers<void>()
  gate = slow.promise
  value = 2
  const refreshed = cache.refresh()
  setTimeout(slow.resolve, 150)
  await refreshed
  gate = new Promise(() => undefined)
  cache.drop()
  expect(await cache.getOrStale()).toBe(2)
})

test('a change is acknowledged also where the value cannot be made again', async () => {
  const workshop = openWorkshop()
  const cache = cached(workshop.make, () => undefined)
  workshop.fail = true
  await cache.refresh()
  workshop.fail = false
  expect(await cache.get()).toBe(2)
})

test('the same is made once, and again when something else was asked for or it failed', async () => {
  const made: string[] = []
  const make = memoizeLast(async ({ name }: { name: string }) => {
    made.push(name)
    if (name === 'bad') throw new Error('spoilt')
    return name
  })
  expect(await Promise.all([make({ name: 'a' }), make({ name: 'a' })])).toEqual(['a', 'a'])
  for (const name of ['b', 'a']) expect(await make({ name })).toBe(name)
  for (let time = 0; time < 2; time += 1) await expect(make({ name: 'bad' })).rejects.toThrow('spoilt')
  expect(made).toEqual(['a', 'b', 'a', 'bad', 'bad'])
})

test('who cannot wait waits for a making that is slow by itself', async () => {
  const cache = cached(
    () => new Promise<number>((resolve) => setTimeout(resolve, 150, 1)),
    () => undefined,
  )
  expect(await cache.getOrStale(async () => 0)).toBe(1)
})

test('what is read with each request is made anew for another text only', () => {
  let made = 0
  const host = rememberLast((address) => {
    made += 1
    return new URL(address).host
  })
  expect([host('https://a.example/'), host('https://a.example/')]).toEqual(['a.example', 'a.example'])
  expect(made).toBe(1)
  expect([host('https://b.example/'), host('https://a.example/')]).toEqual(['b.example', 'a.example'])
  expect(made).toBe(3)
})
