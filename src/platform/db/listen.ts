// Hears what other processes tell through PostgreSQL's NOTIFY.
import { Client } from 'pg'
import type { Log } from '../log.ts'

const retryMs = 1000

export type Listener = { close(): Promise<void> }

/**
 * Calls `onNotify` for every message, and also whenever one may have been missed: when the connection is lost, each
 * second while it stays lost, and when it is back.
 */
export function listen(url: string, channel: string, onNotify: () => void, log: Log): Listener {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString: url,
      application_name: 'lectern listener',
      keepAlive: true,
    })
    client = next
    let isLost = false
    const lose = () => {
      if (isLost || isClosed) return
      isLost = true
      onNotify()
      next.end().catch(() => undefined)
      timer = setTimeout(connectOrRetry, retryMs)
    }
    next.on('error', lose)
    next.on('end', lose)
    next.on('notification', onNotify)
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      onNotify()
    } catch (error) {
      log.debug({ err: error }, 'the listener could not connect and tries again')
      lose()
    }
  }
  const connectOrRetry = () => void connect()

  connectOrRetry()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
