// Jobs that have failed are tried again after seconds or minutes; a test need not wait for that.
import { expect } from 'vitest'
import type { TestShop } from './shop.ts'

/** Wakes the workers as pg-boss does for a new job. */
export async function retryNow({ services }: TestShop): Promise<number> {
  const { rowCount } = await services.database.pool.query(`
    with due as (update pgboss.job set start_after = now() where state = 'retry' returning name)
    select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from due`)
  return rowCount ?? 0
}

/** For what a job does, at its first try or a later one. */
export function soon<Value>(shop: TestShop, read: () => Value) {
  const look = async () => {
    await retryNow(shop)
    return read()
  }
  return expect.poll(look)
}
