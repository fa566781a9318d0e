// The second start, against starting PostgreSQL and an empty Node; and the memory of a shop without visitors.
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '../../test/memory-of.ts'
import { compare, median, type Measure } from '../figure.ts'
import { startBaseline, startShop, temporaryFolder } from '../processes.ts'

export const start: Measure = async function* ({ rounds }) {
  using filled = temporaryFolder()
  using empty = temporaryFolder()
  const idle: number[] = []
  async function startHere() {
    await using shop = await startShop(filled.path)
    await (await fetch(shop.url)).arrayBuffer()
    await sleep(3000)
    idle.push(memoryOf(shop.pid))
    return shop.readyMs
  }
  async function startPostgres() {
    await using postgres = await startBaseline('postgres', empty.path)
    return postgres.readyMs
  }
  await Promise.all([startHere(), startPostgres()])
  yield await compare({
    name: 'Second start, against PostgreSQL and an empty Node',
    bar: { atMost: 3 },
    rounds,
    unitOfNote: 'ms',
    ours: startHere,
    baseline: startPostgres,
  })
  const name = 'Resident memory of the idle Node process'
  yield { name, bar: { atMost: 180 }, unit: 'MB', measured: median(idle.slice(1)) }
}
