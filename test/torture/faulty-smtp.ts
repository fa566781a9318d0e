// A mail server of which one call in five goes wrong, each time in another way.
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { findFreePort } from '../find-free-port.ts'
import type { Random } from './random.ts'

const faults = [
  '421 at the greeting',
  '450 for the recipient',
  '550 for the policy',
  '451 after the text',
  'closed before the end of the text',
  'closed after the end of the text',
  'slow',
] as const
type Fault = (typeof faults)[number]

const errorRate = 0.2
const slowMs = 3_000

export type FaultySmtp = AsyncDisposable & {
  /** What SMTP_URL is set to. */
  url: string
  counts: Map<Fault, number>
  /** How often each email, by its Message-ID, was taken over: what lies in the mailbox. */
  taken: Map<string, { text: string; subject: string; count: number }>
  /** Message-IDs of emails that were taken over and the sender never told of. */
  untold: Set<string>
}

export async function openFaultySmtp(random: Random): Promise<FaultySmtp> {
  const port = await findFreePort()
  const counts = new Map<Fault, number>()
  const taken: FaultySmtp['taken'] = new Map()
  const untold = new Set<string>()
  const chosen = new Map<string, Fault>()
  const sockets = new Map<string, () => void>()
  const strikes = (session: SMTPServerSession, ...wanted: Fault[]) => {
    const fault = chosen.get(session.id)
    return fault !== undefined && wanted.includes(fault)
  }
  const refuse = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onConnect(session, done) {
      if (random.between(0, 1) < errorRate) {
        const fault = random.of(faults)
        chosen.set(session.id, fault)
        counts.set(fault, (counts.get(fault) ?? 0) + 1)
      }
      if (strikes(session, '421 at the greeting')) return done(refuse(421, 'Too many connections'))
      setTimeout(done, strikes(session, 'slow') ? slowMs : 0)
    },
    onClose: (session) => void chosen.delete(session.id),
    onRcptTo(_address, session, done) {
      if (strikes(session, '450 for the recipient')) return done(refuse(450, '4.7.1 Greylisted'))
      if (strikes(session, '550 for the policy')) return done(refuse(550, '5.7.1 Looks like spam'))
      done()
    },
    async onData(stream, session, done) {
      if (strikes(session, 'closed before the end of the text')) return closeConnection(session)
      const { messageId = '', subject = '', text = '' } = await PostalMime.parse(await buffer(stream))
      if (strikes(session, '451 after the text')) return done(refuse(451, '4.3.0 Try again'))
      taken.set(messageId, { subject, text, count: (taken.get(messageId)?.count ?? 0) + 1 })
      if (!strikes(session, 'closed after the end of the text')) return done()
      untold.add(messageId)
      closeConnection(session)
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket) => {
    const key = `${socket.remotePort}`
    sockets.set(key, () => socket.destroy())
    socket.once('close', () => sockets.delete(key))
  })
  const closeConnection = ({ remotePort }: SMTPServerSession) => sockets.get(`${remotePort}`)?.()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${port}`,
    counts,
    taken,
    untold,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
