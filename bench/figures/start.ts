// The second start, against starting PostgreSQL and an empty Node; and the memory of a shop nobody visits.
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, median, type Figure } from '../figure.ts'
import { memoryOf, startBaseline, startShop } from '../processes.ts'

export async function start(rounds: number): Promise<Figure[]> {
  using filled = mkdtempDisposableSync(join(tmpdir(), 'lectern-bench-'))
  using empty = mkdtempDisposableSync(join(tmpdir(), 'lectern-bench-'))
  const first = await startShop(filled.path)
  await first[Symbol.asyncDispose]()
  await (await startBaseline('postgres', empty.path))[Symbol.asyncDispose]()

  let idle = 0
  const pages: number[] = []
  const { ratio, note } = await compare(
    rounds,
    async () => {
      const since = performance.now()
      await using shop = await startShop(filled.path)
      await (await fetch(shop.url)).arrayBuffer()
      pages.push(performance.now() - since)
      await sleep(3000)
      idle = memoryOf(shop.pid)
      return shop.readyMs
    },
    async () => {
      await using baseline = await startBaseline('postgres', empty.path)
      return baseline.readyMs
    },
  )
  return [
    {
      name: 'Second start, against PostgreSQL and an empty Node',
      bar: { atMost: 3 },
      unit: 'ratio',
      measured: ratio,
      note: `${note} ms; the first page after ${Math.round(median(pages))} ms`,
    },
    { name: 'Resident memory of the idle Node process', bar: { atMost: 180 }, unit: 'MB', measured: idle },
  ]
}
