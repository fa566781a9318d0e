// The order in which one release replaces another, killed at each of its steps.
import { expect, test } from 'vitest'
import { changeOver, recover, type Server } from './change-over.ts'

type Options = {
  /** The call, counted from 1, at which the process is killed. */
  killedAt?: number
  isBroken?: boolean
}

class Killed extends Error {}

/** A server in memory: one release runs or none, on data of one of the two. */
function openMemoryServer() {
  const now = {
    state: undefined as ReturnType<Server['readState']>,
    release: 'old',
    data: 'old',
    kept: undefined as string | undefined,
    running: 'old' as string | undefined,
    /** Requests wait for as long as the process that has made them wait. */
    isHolding: false,
    starts: 1,
    /** What a visitor has got from a release. */
    served: [] as string[],
  }
  function connect({ killedAt = Infinity, isBroken = false }: Options = {}): {
    server: Server
    calls: () => number
  } {
    let calls = 0
    // Of the process before.
    now.isHolding = false
    const step = () => {
      calls += 1
      // What a killed process would do next does not happen either.
      if (calls >= killedAt) throw new Killed('killed')
    }
    const open = () => {
      if (now.data !== 'old' && now.release === 'old') throw new Error('the data are of a newer version')
      if (now.running) return
      if (now.release === 'new') now.data = 'new'
      now.running = now.release
      now.starts += 1
      if (!now.isHolding) now.served.push(now.release)
    }
    const server: Server = {
      readState: () => now.state,
      writeState(state) {
        step()
        now.state = state
      },
      release: () => now.release,
      async link(release) {
        step()
        now.release = release
      },
      async hold() {
        step()
        now.isHolding = true
        step()
      },
      async start() {
        step()
        open()
        // Ready, and nothing has reached it yet.
        step()
        now.isHolding = false
        now.served.push(now.release)
      },
      async stop() {
        step()
        expect(now.isHolding).toBe(true)
        now.running = undefined
      },
      lastStart: async () => String(now.starts),
      async keepData() {
        step()
        expect(now.running).toBeUndefined()
        now.kept = now.data
      },
      async bringBackData() {
        step()
        expect(now.running).toBeUndefined()
        if (now.kept) now.data = now.kept
        now.kept = undefined
      },
      async dropKeptData() {
        step()
        now.kept = undefined
      },
      async tryOut(release) {
        step()
        expect([now.running, release]).toEqual([undefined, 'new'])
        now.data = 'new'
        step()
        if (isBroken) throw new Error('it does not start')
      },
    }
    return { server, calls: () => calls }
  }
  return { now, connect }
}

const change = { from: 'old', to: 'new' }

test('the next release is in use only after it has worked where nobody reaches it', async () => {
  const { now, connect } = openMemoryServer()
  await changeOver(connect().server, change)
  expect(now).toMatchObject({
    release: 'new',
    data: 'new',
    running: 'new',
    isHolding: false,
    served: ['new'],
  })
  expect([now.state, now.kept]).toEqual([undefined, undefined])
})

test('one that does not work leaves the former release on its own data', async () => {
  const { now, connect } = openMemoryServer()
  await expect(changeOver(connect({ isBroken: true }).server, change)).rejects.toThrow('it does not start')
  expect(now).toMatchObject({
    release: 'old',
    data: 'old',
    running: 'old',
    isHolding: false,
    served: ['old'],
  })
  expect([now.state, now.kept]).toEqual([undefined, undefined])
})

test.each([false, true])('killed at any step, the next run ends it (broken: %s)', async (isBroken) => {
  const whole = openMemoryServer().connect({ isBroken })
  await changeOver(whole.server, change).catch(() => undefined)
  for (let killedAt = 1; killedAt <= whole.calls(); killedAt += 1) {
    const { now, connect } = openMemoryServer()
    await changeOver(connect({ killedAt, isBroken }).server, change).catch(() => undefined)
    const hadServed = now.served.includes('new')
    await recover(connect({ isBroken }).server).catch((error: Error) => {
      if (!isBroken) throw error
    })
    const release = now.release
    expect(now, `killed at ${killedAt}`).toMatchObject({
      data: release,
      running: release,
      isHolding: false,
    })
    expect([now.state, now.kept], `killed at ${killedAt}`).toEqual([undefined, undefined])
    if (isBroken) expect([killedAt, release]).toEqual([killedAt, 'old'])
    if (hadServed) expect(release).toBe('new')
  }
})

test('what somebody has started after the kill is never taken back', async () => {
  const { now, connect } = openMemoryServer()
  // Its link is the next release's, whose start brings the data to its version: as after a restart of the machine.
  await changeOver(connect({ killedAt: 8 }).server, change).catch(() => undefined)
  expect([now.state?.step, now.release, now.running]).toEqual(['linked', 'new', undefined])
  await connect().server.start()
  await recover(connect({ isBroken: true }).server)
  expect(now).toMatchObject({
    release: 'new',
    data: 'new',
    running: 'new',
    state: undefined,
    kept: undefined,
  })
})
