// A mail server that counts what arrives.
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { findFreePort } from '../find-free-port.ts'

const timeoutMs = 600_000
/** By then the heartbeat of a job whose process was killed is missed. */
const retriedAfterMs = 20_000

/** For addresses that begin with `prefix`: how often each got an email, under which Message-IDs, and the newest text. */
export async function openCountingSmtp(prefix: string) {
  const port = await findFreePort()
  const counts = new Map<string, number>()
  const ids = new Map<string, Set<string>>()
  const texts = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 50,
    async onData(stream, { envelope }, done) {
      // Undefined where the shop was killed in the middle of it.
      const message = await buffer(stream).catch(() => undefined)
      if (!message) return done(new Error('broken off'))
      const text = String(message)
      const to = envelope.rcptTo[0]!.address
      if (to.startsWith(prefix)) {
        const id = /^Message-ID: (.+)$/im.exec(text)?.[1] ?? ''
        texts.set(to, text.replaceAll('=\r\n', ''))
        counts.set(to, (counts.get(to) ?? 0) + 1)
        ids.set(to, (ids.get(to) ?? new Set()).add(id))
      }
      done()
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${port}`,
    counts,
    texts,
    /** Emails beyond the first of each address. */
    extra: () => [...counts.values()].reduce((sum, count) => sum + count - 1, 0),
    /** Until so many addresses have an email, or for ten minutes; then while what was in flight at a kill may come again. */
    async settle(addresses: number) {
      const since = Date.now()
      while (counts.size < addresses && Date.now() - since < timeoutMs) await sleep(200)
      await sleep(retriedAfterMs)
    },
    twins: () => [...ids.values()].filter(({ size }) => size > 1).length,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
