// The bound on hashing, and the hashes themselves.
import { expect, test } from 'vitest'
import { createHashingQueue } from './hashing-queue.ts'
import { createPasswords } from './passwords.ts'

test('never more than allowed run, and what waits gets its turn in order', async () => {
  const inTurn = createHashingQueue({ running: 2, waiting: 10 })
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (n: number) => async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    order.push(n)
    running--
  }
  await Promise.all(Array.from({ length: 12 }, (_, n) => inTurn(work(n))))
  expect(most).toBe(2)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

test('who finds the queue full is told to come back, and a failure frees its place', async () => {
  const inTurn = createHashingQueue({ running: 1, waiting: 1 })
  const fail = async () => {
    await new Promise(setImmediate)
    throw new Error('broken')
  }
  const both = Promise.allSettled([inTurn(fail), inTurn(fail)])
  await expect(inTurn(fail)).rejects.toMatchObject({
    code: 'auth.request_timeout',
    status: 503,
    retryAfter: 2,
  })
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await inTurn(async () => 'done')).toBe('done')
})

test('hashes are argon2id with 19 MiB and two passes, salted, and nobody matches no hash', async () => {
  const passwords = createPasswords()
  const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
  expect(await passwords.isRight('secret', first)).toBe(true)
  expect(await passwords.isRight('Secret', first)).toBe(false)
  expect(await passwords.isRight('', null)).toBe(false)
})
