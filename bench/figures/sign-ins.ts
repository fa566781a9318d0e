// Signing in, against argon2id alone; and how others fare meanwhile.
import { compare, median, type Figure } from '../figure.ts'
import { admin, load, runProgram, type Shop } from '../processes.ts'

const seconds = 5

export async function signIns(shop: Shop, rounds: number): Promise<Figure[]> {
  const waits: number[] = []
  const { ratio, note } = await compare(
    rounds,
    async () => {
      const [signing, reading] = await Promise.all([
        load({
          url: `${shop.url}/auth/v1/token?grant_type=password`,
          connections: 32,
          seconds,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(admin),
        }),
        load({ url: `${shop.url}/api/products`, connections: 1, seconds, isPaced: true }),
      ])
      waits.push(reading.p99)
      return signing.perSecond
    },
    async () => (await runProgram<{ perSecond: number }>('argon2', { seconds })).perSecond,
  )
  return [
    {
      name: 'Sign-ins at 32 connections, against argon2id alone',
      bar: { atLeast: 0.8 },
      unit: 'ratio',
      measured: ratio,
      note,
    },
    { name: 'GET /api/products meanwhile, p99', bar: { atMost: 30 }, unit: 'ms', measured: median(waits) },
  ]
}
