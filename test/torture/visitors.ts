// Visitors who read pages and sign in, without a pause, until they are told to go.
import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../running-shop.ts'
import type { Random } from './random.ts'

const pages = ['/', '/auth', '/preview', '/api/products']

export type Visitors = {
  /** How often each status came; 0 is a connection that broke. */
  statuses: Map<number, number>
  finish(): Promise<void>
}

export function sendVisitors(url: string, count: number, random: Random): Visitors {
  const statuses = new Map<number, number>()
  const closing = new AbortController()

  async function ask(path: string, init?: RequestInit): Promise<void> {
    const status = await read(url + path, init).catch(() => 0)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  async function visit(): Promise<void> {
    while (!closing.signal.aborted) {
      for (let views = 0; views < 20; views++) {
        await ask(random.of(pages))
        await sleep(random.between(0, 20))
      }
      await ask('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(admin),
      })
    }
  }

  const visits = Array.from({ length: count }, visit)
  return {
    statuses,
    async finish() {
      closing.abort()
      await Promise.all(visits)
    },
  }
}

async function read(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
  await response.arrayBuffer()
  return response.status
}
