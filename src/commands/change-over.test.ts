// The order in which one release replaces another, killed at each of its steps.
import { expect, test } from 'vitest'
import { changeOver, endChange, type Server } from './change-over.ts'

type Options = {
  /** The call, counted from 1, at which the process is killed. */
  killedAt?: number
  /** The next release does not open. */
  isBroken?: boolean
}

class Killed extends Error {}

/** A server in memory. */
function openMemoryServer() {
  const now = {
    release: 'old',
    former: undefined as string | undefined,
    running: 'old' as string | undefined,
    data: 'old',
  }
  function connect({ killedAt = Infinity, isBroken = false }: Options = {}): {
    server: Server
    calls: () => number
  } {
    let calls = 0
    const step = () => {
      calls += 1
      // What a killed process would do next does not happen either.
      if (calls >= killedAt) throw new Killed('killed')
    }
    const server: Server = {
      release: () => now.release,
      async link(release) {
        step()
        now.release = release
      },
      former: () => now.former,
      async setFormer(release) {
        step()
        now.former = release
      },
      async restart() {
        step()
        now.running = undefined
        step()
        if (now.release === 'new') now.data = 'new'
        if (now.release === 'new' && isBroken) throw new Error('it does not open')
        now.running = now.release
        step()
      },
    }
    return { server, calls: () => calls }
  }
  return { now, connect }
}

test('the next release is in use once it has opened', async () => {
  const { now, connect } = openMemoryServer()
  await changeOver(connect().server, 'new')
  expect(now).toEqual({ release: 'new', former: undefined, running: 'new', data: 'new' })
})

test('one that does not open leaves the former release in use, on the migrated data', async () => {
  const { now, connect } = openMemoryServer()
  await expect(changeOver(connect({ isBroken: true }).server, 'new')).rejects.toThrow('it does not open')
  expect(now).toEqual({ release: 'old', former: undefined, running: 'old', data: 'new' })
})

test.each([false, true])('killed at any step, the next run ends it (broken: %s)', async (isBroken) => {
  const whole = openMemoryServer().connect({ isBroken })
  await changeOver(whole.server, 'new').catch(() => undefined)
  for (let killedAt = 1; killedAt <= whole.calls(); killedAt += 1) {
    const { now, connect } = openMemoryServer()
    await changeOver(connect({ killedAt, isBroken }).server, 'new').catch(() => undefined)
    await endChange(connect({ isBroken }).server).catch((error: Error) => {
      if (!isBroken) throw error
    })
    expect([killedAt, now.former, now.running]).toEqual([killedAt, undefined, now.release])
    if (isBroken) expect([killedAt, now.release]).toEqual([killedAt, 'old'])
    // Killed before the link has changed, nothing has happened; afterwards the next run finishes it.
    else expect([killedAt, now.release]).toEqual([killedAt, killedAt <= 2 ? 'old' : 'new'])
  }
})

test('where neither opens, the change stays under way, and the next run tries the former release again', async () => {
  const { now, connect } = openMemoryServer()
  const { server } = connect({ isBroken: true })
  const failing = { ...server, restart: () => Promise.reject(new Error('no room on the disk')) }
  await expect(changeOver(failing, 'new')).rejects.toThrow('no room on the disk')
  expect(now).toMatchObject({ release: 'old', former: 'old' })
  await endChange(server)
  expect(now).toMatchObject({ release: 'old', former: undefined, running: 'old' })
})

test('without a change nothing is restarted', async () => {
  const { server, calls } = openMemoryServer().connect()
  await endChange(server)
  expect(calls()).toBe(0)
})
