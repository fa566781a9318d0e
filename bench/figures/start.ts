// The second start, against starting PostgreSQL and an empty Node; and the memory of a shop nobody visits.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, type Figure } from '../figure.ts'
import { memoryOf, runProgram, startShop } from '../processes.ts'

export async function start(rounds: number): Promise<Figure[]> {
  const first = await startShop()
  await first[Symbol.asyncDispose]()
  const empty = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  await runProgram('postgres', { dataDir: empty })

  let idle = 0
  const { ratio, note } = await compare(
    rounds,
    async () => {
      await using shop = await startShop(first.dataDir)
      await sleep(3000)
      idle = memoryOf(shop.pid)
      return shop.readyMs
    },
    async () => (await runProgram<{ ms: number }>('postgres', { dataDir: empty })).ms,
  )
  return [
    {
      name: 'Second start, against PostgreSQL and an empty Node',
      bar: { atMost: 2 },
      unit: 'ratio',
      measured: ratio,
      note: `${note} ms`,
    },
    { name: 'Resident memory of the idle Node process', bar: { atMost: 160 }, unit: 'MB', measured: idle },
  ]
}
