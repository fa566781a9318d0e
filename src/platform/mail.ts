import { callbackify } from 'node:util'
import type { SendMailOptions, SMTPTransportOptions } from 'nodemailer'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { mailPorts } from './contract/network.ts'
import { PermanentFailure } from './job.ts'
import { connectToPublic, PrivateHostError } from './public-connection.ts'
import { once } from './cached.ts'
import { writeToOutbox, type Secret } from './outbox.ts'
import { memoized, type Settings } from './settings.ts'

export type Email = {
  to: string
  subject: string
  html: string
  text: string
  replyTo?: string
  /** Opened, a page; posted to, it stops such emails (RFC 8058). */
  unsubscribeUrl?: string
  /** Without the list, screens show nothing of the text. */
  secrets?: readonly Secret[]
}

export type Mail = {
  /** The same `id` gives the same Message-ID, so that a mailbox shows a retried email once. Returns the server's response. */
  send(email: Email, id: string): Promise<string | undefined>
  isKept(): boolean
}

type Needs = { config: Pick<Config, 'smtpUrl' | 'dataDir'>; settings: Pick<Settings, 'get'> }

export function senderOf(settings: Needs['settings']): { name: string; address: string } {
  const { from_name: name, from_address } = settings.get().mail
  return { name, address: from_address || `shop@${hostOf(settings)}` }
}

function hostOf(settings: Needs['settings']): string {
  return new URL(settings.get().shop.site_url).hostname
}

export function openMail(needs: Needs): Mail {
  const { config, settings } = needs
  const compose = (
    { to, unsubscribeUrl, secrets: _secrets, ...email }: Email,
    id: string,
  ): SendMailOptions => ({
    ...email,
    from: senderOf(settings),
    // An address is never parsed as a list of several.
    to: { name: '', address: to },
    messageId: `<${id}@${hostOf(settings)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const channel = memoized(
    () => findServer(needs),
    (server) => (server ? smtp(server, compose) : outbox(config, compose)),
  )
  return {
    send: (email, id) => channel()(email, id),
    isKept: () => findServer(needs) === undefined,
  }
}

type Server = NonNullable<ReturnType<typeof findServer>>

function findServer({ config, settings }: Needs) {
  if (config.smtpUrl) return { url: config.smtpUrl }
  const { host, port, encryption, user, password = '', is_public_only } = settings.get().mail
  if (!host) return undefined
  return {
    host: host.replace(/^\[(.+)\]$/, '$1'),
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    auth: user ? { user, pass: password } : undefined,
    isPublicOnly: is_public_only,
  }
}

export async function logInToMailServer(needs: Needs): Promise<boolean> {
  const server = findServer(needs)
  if (!server) return false
  const transport = await createTransport(server)
  try {
    await transport.verify()
    return true
  } finally {
    transport.close()
  }
}

type Send = Mail['send']

const nodemailer = () => import('nodemailer')

type Compose = (email: Email, id: string) => SendMailOptions

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  dnsTimeout: 10_000,
}

async function createTransport(server: Server) {
  const { createTransport: create } = await nodemailer()
  const isChecked = 'isPublicOnly' in server && server.isPublicOnly
  return create({ ...server, ...timeouts, ...(isChecked && { getSocket: socketsTo(server) }) })
}

type Host = { host: string; port: number }

function socketsTo({ host, port }: Host): NonNullable<SMTPTransportOptions['getSocket']> {
  const open = callbackify(async () => {
    if (!mailPorts.includes(port)) throw new PrivateHostError()
    return { connection: await connectToPublic({ host, port, timeoutMs: timeouts.connectionTimeout }) }
  })
  return (_options, done) => open(done)
}

function smtp(server: Server, compose: Compose): Send {
  const open = once(() => createTransport(server))
  return async (email, id) => {
    const transport = await open()
    const { response } = await transport.sendMail(compose(email, id)).catch((error: unknown) => {
      throw isRecipientRefused(error) ? new PermanentFailure(error.message, { cause: error }) : error
    })
    return response
  }
}

/** RFC 3463: the mailbox is not there; the shop is distrusted. */
const badRecipient = /^5\d\d[ -]5\.(1\.[1-6]|2\.\d)\b/
const distrusted = /^5\d\d[ -]5\.7\./

/** A refused login, policy or content can be corrected while the mail is retried. */
function isRecipientRefused(error: unknown): error is Error {
  const { success, data } = smtpRefusal.safeParse(error)
  if (!success) return false
  const isAboutRecipient =
    data.command === 'RCPT TO' ? !distrusted.test(data.response) : badRecipient.test(data.response)
  return error instanceof Error && data.responseCode >= 500 && isAboutRecipient
}

const smtpRefusal = z.object({
  command: z.enum(['RCPT TO', 'DATA']),
  responseCode: z.number(),
  response: z.string(),
})

function outbox(config: Pick<Config, 'dataDir'>, compose: Compose): Send {
  const open = once(async () =>
    (await nodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'crlf' }),
  )
  return async (email, id) => {
    const transport = await open()
    const { message } = await transport.sendMail(compose(email, id))
    if (!Buffer.isBuffer(message)) throw new TypeError('nodemailer was asked for a buffer')
    await writeToOutbox(config, id, { message, secrets: email.secrets })
    return undefined
  }
}
