// Where no money is taken: buyers who press again until they have a response, and operators who change rows meanwhile.
import { openDatabase } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { createLog } from '#platform/log.ts'
import { sendOperators, type Operators } from './operator.ts'
import { createRandom } from './random.ts'
import { openSale, type Sale } from './sale.ts'
import type { ScenarioOptions } from './scenario.ts'
import type { Trial } from './trial.ts'

// 404 and 409: an operator has deleted what was just bought, or given it another product.
const goodStatuses = [0, 200, 201, 401, 404, 409, 503]

export function openFreeTrial({ dataDir, buyers, seed }: ScenarioOptions): Trial {
  let sale: Sale
  let operators: Operators
  return {
    env: {},
    async begin({ url }) {
      operators = await sendOperators(dataDir, createRandom(seed + 2))
      sale = await openSale({ url, buyers, seed, dataDir, touched: operators.touched })
    },
    untilSold: (since) => sale.untilSold(since),
    async end() {
      await operators.finish()
      await sale.finish()
    },
    async audit() {
      await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
      await using database = openDatabase(postgres.url)
      return await sale.audit(database, goodStatuses)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
