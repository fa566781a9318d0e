// A shop whose socket another process holds, as systemd does: requests wait in it while the shop is stopped or killed.
import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { startHeldShop } from '../held-socket.ts'
import { processesIn } from '../postgres-owner.ts'

const socketsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const path = readlinkSync(`/proc/${pid}/fd/${fd}`)
    return path.startsWith('socket:') ? [path] : []
  })

test.runIf(process.platform === 'linux')(
  'no message is lost while a shop is stopped, started and killed on its socket',
  async () => {
    ensureBuilt()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-held-'))
    await using shop = await startHeldShop(folder.path)
    expect(shop.log()).toContain('HOST and PORT are not read')
    const held = readlinkSync(`/proc/${shop.pid()}/fd/3`)
    for (const pid of processesIn(join(folder.path, 'postgres/cluster')))
      expect(socketsOf(pid)).not.toContain(held)

    const message = { name: 'Ada', email: 'ada@example.com', subject: 'Hello', message: 'Amen' }
    const post = async () => {
      const headers = { 'content-type': 'application/json', connection: 'close' }
      const body = JSON.stringify(message)
      const response = await fetch(`${shop.url}/api/contact`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      return response.ok
    }
    const ending = new AbortController()
    const outcomes: boolean[] = []
    const senders = Array.from({ length: 8 }, async () => {
      while (!ending.signal.aborted) outcomes.push(await post().catch(() => false))
    })
    for (let round = 0; round < 3; round += 1) {
      const before = outcomes.length
      await shop.stop()
      shop.start()
      await expect.poll(() => outcomes.length, { timeout: 120_000 }).toBeGreaterThan(before + 20)
    }
    ending.abort()
    await Promise.all(senders)
    expect(outcomes.filter((isGood) => !isGood)).toEqual([])

    process.kill(shop.pid(), 'SIGKILL')
    await expect.poll(() => shop.pid()).toBe(0)
    const waiting = post()
    await sleep(500)
    // Nobody starts it but what holds the socket.
    expect(await waiting).toBe(true)
  },
  300_000,
)
