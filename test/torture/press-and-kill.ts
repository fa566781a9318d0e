// Calls that are made as persons make them, pressed again until the shop has answered, while it is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import { admin, type RunningShop, type Victim } from '../running-shop.ts'
import type { Random } from './random.ts'

const victims: readonly Victim[] = ['the server', 'PostgreSQL', 'both']
const timeoutMs = 600_000
const atOnce = 6

/** As many emails may be in flight when the shop is killed: the queue works on so many jobs at once. */
export const mailsInFlight = 8

export async function killInTurn(shop: RunningShop, random: Random, rounds: number): Promise<number[]> {
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(random.between(300, 2_000))
    const victim = random.of(victims)
    recoveries.push(await shop.kill(victim, random))
    console.log(`${String(round).padStart(3)}  killed ${victim}`)
  }
  return recoveries
}

/** Several at once. */
export async function shareOut(ids: readonly string[], each: (id: string) => Promise<void>): Promise<void> {
  const left = [...ids]
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await each(id)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** As a person does: pressed again until the shop has answered. */
export async function retry<Made>(call: () => Promise<Made>): Promise<Made> {
  for (const since = Date.now(); ; await sleep(300)) {
    try {
      return await call()
    } catch (error) {
      if (Date.now() - since > timeoutMs) throw error
    }
  }
}

export async function expectOk(call: () => Promise<Response>): Promise<void> {
  await retry(async () => {
    const response = await call()
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
  })
}

export async function signIn({ url }: RunningShop): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  return ((await response.json()) as { access_token: string }).access_token
}
