// The admin area's sums, as kept, beside the same counted anew from the rows.
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#platform/db/client.ts'
import { readSums } from '../sales-sums.ts'

export async function auditSums(database: Pick<Database, 'pool'>) {
  const { kept, counted, keptApart, countedApart, wrongUsers, people } = await readSums(database)
  const day = (sums: { day: string; product_id: string }) => `${sums.day} ${sums.product_id}`
  const known = new Map(counted.map((sums) => [day(sums), sums]))
  const wrong = kept.filter((sums) => !isDeepStrictEqual(sums, known.get(day(sums))))
  return {
    kept: kept as { purchases: number; completed: number; revenue: number }[],
    violations: {
      'days whose sums are wrong': wrong.length + Math.abs(kept.length - counted.length),
      'countries and codes whose sums are wrong': isDeepStrictEqual(keptApart, countedApart) ? 0 : 1,
      'users whose sums are wrong': wrongUsers.length,
      'people counted wrongly': Math.abs(people.kept - people.counted),
    },
  }
}
