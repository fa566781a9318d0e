// Listens for notifications of the database, on a connection of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { sessionSettings, WritableClient } from './client.ts'

const retryMs = 1000
const timeouts = { checkMs: 10_000, responseMs: 5_000 }

type Listener = { close(): Promise<void> }

type Handlers = {
  onMessage: (payload: string, channel: string) => void
  /** Earlier messages, and those during a lost connection, are missed. */
  onConnect: () => void
  /** Called also each second while the connection stays lost. */
  onLost?: () => void
}

/** A lost connection can look like an idle one, so a query goes out each `checkMs`. */
export function listen(
  { url, channels, application_name }: { url: string; channels: readonly string[]; application_name: string },
  { onMessage, onConnect, onLost }: Handlers,
  log: Log,
  { checkMs, responseMs } = timeouts,
): Listener {
  let client: WritableClient | undefined
  let timer: NodeJS.Timeout | undefined
  const closing = new AbortController()

  async function connect(): Promise<void> {
    const next = new WritableClient({
      connectionString: url,
      application_name,
      connectionTimeoutMillis: responseMs,
      query_timeout: responseMs,
    })
    client = next
    let isLost = false
    const lose = () => {
      if (isLost || closing.signal.aborted) return
      isLost = true
      onLost?.()
      next.end().catch(() => undefined)
      timer = setTimeout(connectOrRetry, retryMs)
    }
    next.on('error', lose)
    next.on('end', lose)
    next.on('notification', ({ payload = '', channel }) => onMessage(payload, channel))
    try {
      await next.connect()
      await next.query(sessionSettings)
      for (const channel of channels) await next.query(`listen ${next.escapeIdentifier(channel)}`)
      onConnect()
      for (;;) {
        await sleep(checkMs, undefined, { signal: closing.signal })
        await next.query('select')
      }
    } catch (error) {
      if (isLost || closing.signal.aborted) return
      log.debug({ err: error }, 'the listener lost its connection and tries again')
      lose()
    }
  }
  const connectOrRetry = () => void connect()

  connectOrRetry()
  return {
    async close() {
      closing.abort()
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
