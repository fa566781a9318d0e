// Hears what other processes tell through PostgreSQL's NOTIFY.
import type { Log } from '../log.ts'
import { WritableClient } from './writable-client.ts'

const retryMs = 1000

export type Listener = { close(): Promise<void> }

type Handlers = {
  onMessage: (payload: string) => void
  /** Messages sent before the connection, or while it was lost, have not been heard. */
  onConnect: () => void
  /** When the connection is lost, and each second while it stays lost. */
  onLost?: () => void
}

export function listen(
  url: string,
  channel: string,
  { onMessage, onConnect, onLost }: Handlers,
  log: Log,
): Listener {
  let client: WritableClient | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const next = new WritableClient({ connectionString: url, application_name: 'lectern listener' })
    client = next
    let isLost = false
    const lose = () => {
      if (isLost || isClosed) return
      isLost = true
      onLost?.()
      next.end().catch(() => undefined)
      timer = setTimeout(connectOrRetry, retryMs)
    }
    next.on('error', lose)
    next.on('end', lose)
    next.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      onConnect()
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
