// A real SMTP server on this machine, in whatever state a test needs it.
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'
import { findFreePort } from './find-free-port.ts'

export type SmtpBehavior =
  | 'takes mails'
  | 'refuses for good'
  | 'refuses for now'
  | 'knows no such mailbox'
  | 'has the mailbox full for now'
  | 'does not relay'
  | 'refuses the password'
  | 'refuses the sender'
  | 'says nothing'
  | 'falls silent after a mail'

export type TestSmtpServer = AsyncDisposable & {
  /** What SMTP_URL is set to. */
  url: string
  behavior: SmtpBehavior
  /** How long it takes for its response to a mail whose recipient begins with "slow". */
  slowMs: number
  /** Every mail whose bytes arrived, also those that were then refused. */
  emails: { email: Email; envelope: { from: string; to: string[] } }[]
  /** The names of EHLO, of each login and each mail. */
  greetings: string[]
  /** Waits until so many mails have arrived. */
  arrived(count: number): Promise<void>
  /** Refuses connections until the returned function is called. */
  goAway(): Promise<() => Promise<void>>
}

const replyCodes = { 'refuses for good': 550, 'refuses for now': 451 }
const recipientReplies = {
  'knows no such mailbox': [550, '5.1.1 No such user here'],
  'has the mailbox full for now': [452, '4.2.2 Mailbox full'],
  'does not relay': [550, '5.7.1 Relaying denied'],
} as const

export async function openSmtpServer(behavior: SmtpBehavior = 'takes mails'): Promise<TestSmtpServer> {
  const port = await findFreePort()
  let server = await start()

  function start(): Promise<SMTPServer> {
    const started = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 50,
      onConnect(_session, done) {
        if (self.behavior !== 'says nothing') done()
      },
      onAuth({ username }, { hostNameAppearsAs: name }, done) {
        self.greetings.push(name)
        if (self.behavior !== 'refuses the password') return done(null, { user: username })
        done(Object.assign(new Error('5.7.8 Authentication failed'), { responseCode: 535 }))
      },
      onMailFrom(_address, { hostNameAppearsAs: name }, done) {
        self.greetings.push(name)
        if (self.behavior !== 'refuses the sender') return done()
        done(Object.assign(new Error('5.7.1 Sender not verified'), { responseCode: 554 }))
      },
      onRcptTo(_address, _session, done) {
        const [responseCode, words] = recipientReplies[self.behavior as keyof typeof recipientReplies] ?? []
        done(responseCode ? Object.assign(new Error(words), { responseCode }) : undefined)
      },
      async onData(stream, { envelope }, done) {
        const bytes = await buffer(stream)
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        const email = await PostalMime.parse(bytes)
        self.emails.push({ email, envelope: { from, to } })
        if (self.behavior === 'falls silent after a mail') return
        if (to.some((each) => each.startsWith('slow'))) await sleep(self.slowMs)
        const responseCode = replyCodes[self.behavior as keyof typeof replyCodes]
        done(responseCode ? Object.assign(new Error('Not today'), { responseCode }) : undefined)
      },
    })
    started.on('error', () => undefined)
    return new Promise((resolve) => {
      started.listen(port, '127.0.0.1', () => resolve(started))
    })
  }

  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  const self: TestSmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    behavior,
    slowMs: 0,
    emails: [],
    greetings: [],
    async arrived(count) {
      await expect.poll(() => self.emails.length).toBeGreaterThanOrEqual(count)
    },
    async goAway() {
      await stop()
      return async () => {
        server = await start()
      }
    },
    [Symbol.asyncDispose]: stop,
  }
  return self
}
