// Is the process alive; can it reach its database.
import { Hono } from 'hono'
import type { Services } from '../services.ts'

export function healthApi({ database }: Pick<Services, 'database'>) {
  return new Hono()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/ready', async (c) => {
      const isReady = await database.pool.query('select 1').then(
        () => true,
        () => false,
      )
      return isReady ? c.json({ status: 'ok' }) : c.json({ status: 'the database is away' }, 503)
    })
}
