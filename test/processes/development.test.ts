// `npm run dev` as a newcomer runs it after cloning.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../find-free-port.ts'
import { processesIn } from '../postgres-owner.ts'
import { startProcess } from '../start-process.ts'

const root = join(import.meta.dirname, '../..')

test('npm run dev needs no settings, has its page on its one port, and ends with Ctrl+C', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-development-'))
  const port = await findFreePort()
  // Where it keeps its data and listens is said only so that this test is in nobody's way.
  const env = { DATA_DIR: folder.path, PORT: String(port) }
  // In a terminal, Ctrl+C goes to the group: to all that it runs.
  const shop = startProcess('npm', ['run', 'dev'], { cwd: root, env, hasGroup: true })
  const left = () => [...processesOf(shop.pid), ...processesIn(folder.path)]
  try {
    const page = async (path: string) => {
      const response = await fetch(`http://localhost:${port}${path}`).catch(() => undefined)
      return response?.ok ? await response.text() : ''
    }
    await expect.poll(() => page('/'), { interval: 100, timeout: 180_000 }).toContain('Get Your Copy Today')
    expect(await page('/@vite/client')).toContain('WebSocket')
    expect(listeningPorts(left())).toEqual([port])
  } finally {
    await shop.stop('SIGINT')
    await expect.poll(left).toEqual([])
  }
  expect(shop.stdout()).toContain('The shop is closed')
})

/** A terminal's, or whatever was started as one. */
function processesOf(group: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  return pids.filter((pid) => {
    try {
      const [, , processGroup] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return Number(processGroup) === group
    } catch {
      return false
    }
  })
}

function listeningPorts(pids: readonly number[]): number[] {
  const sockets = new Set(pids.flatMap(socketsOf))
  const rows = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1),
  )
  const listening = '0A'
  const ports = rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/)
    return state === listening && sockets.has(`socket:[${inode}]`)
      ? [Number.parseInt(local.split(':')[1]!, 16)]
      : []
  })
  return [...new Set(ports)]
}

function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((handle) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${handle}`)]
    } catch {
      return []
    }
  })
}
