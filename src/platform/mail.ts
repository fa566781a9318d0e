// Mail: through SMTP when it is set, else into the outbox.
import { callbackify } from 'node:util'
import type { SendMailOptions, SMTPTransportOptions } from 'nodemailer'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { mailPorts } from './contract/network.ts'
import { PermanentFailure } from './job.ts'
import { connectToPublic, PrivateHostError } from './public-connection.ts'
import { once } from './cached.ts'
import { writeToOutbox } from './outbox.ts'
import { memoized, type Settings } from './settings.ts'

export type Email = {
  to: string
  subject: string
  html: string
  text: string
  /** Where a response goes, when a person would read it. */
  replyTo?: string
}

export type Mail = {
  /**
   * Resolves when the next server, or the disk, has taken the email; throws when it has not, a PermanentFailure when
   * the server does not know the recipient.
   * The same `id` gives the same Message-ID, so that a mailbox shows a repeated email once. Returns what the server
   * answered; undefined where the mail is kept.
   */
  send(email: Email, id: string): Promise<string | undefined>
  /** Whether mails stay in the outbox, because no mail server is set. */
  isKept(): boolean
}

type Needs = { config: Pick<Config, 'smtpUrl' | 'dataDir'>; settings: Pick<Settings, 'get'> }

/** Whom mails come from. The name may be empty. */
export function senderOf(settings: Needs['settings']): { name: string; address: string } {
  const { from_name: name, from_address } = settings.get().mail
  return { name, address: from_address || `shop@${hostOf(settings)}` }
}

function hostOf(settings: Needs['settings']): string {
  return new URL(settings.get().shop.site_url).hostname
}

/** Asks for the settings at every mail. */
export function openMail(needs: Needs): Mail {
  const { config, settings } = needs
  const compose = ({ to, ...email }: Email, id: string): SendMailOptions => ({
    ...email,
    from: senderOf(settings),
    // As an object: an address is never parsed as a list of several.
    to: { name: '', address: to },
    messageId: `<${id}@${hostOf(settings)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
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

type NamedServer = {
  host: string
  port: number
  secure: boolean
  requireTLS: boolean
  ignoreTLS: boolean
  auth: { user: string; pass: string } | undefined
  isPublicOnly: boolean
}
type Server = { url: string } | NamedServer

/** Undefined where none is set. SMTP_URL may say more than the settings know. */
function findServer({ config, settings }: Needs): Server | undefined {
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

/** Connects to the mail server and logs in, without a mail; false where none is set. */
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

/** Loaded with the first email, not at the start. */
const nodemailer = () => import('nodemailer')

type Compose = (email: Email, id: string) => SendMailOptions

/** A server that does not answer is given up after 10 s a step; the job tries again later. */
const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  dnsTimeout: 10_000,
}

async function createTransport(server: Server) {
  const { createTransport: create } = await nodemailer()
  const isChecked = 'isPublicOnly' in server && server.isPublicOnly
  return create({ ...server, ...patience, ...(isChecked && { getSocket: socketsTo(server) }) })
}

/** nodemailer encrypts on the connection that it is given, for the name of the server. */
function socketsTo({ host, port }: NamedServer): NonNullable<SMTPTransportOptions['getSocket']> {
  const open = callbackify(async () => {
    if (!mailPorts.includes(port)) throw new PrivateHostError()
    return { connection: await connectToPublic({ host, port, timeoutMs: patience.connectionTimeout }) }
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

/** The enhanced codes (RFC 3463) of an address or a mailbox that is not there, and of the shop being distrusted. */
const badRecipient = /^5\d\d[ -]5\.(1\.[1-6]|2\.\d)\b/
const distrusted = /^5\d\d[ -]5\.7\./

/**
 * Whether the server refused this address for good. What it has against the shop itself (a login, a policy, the
 * content) can be put right within the days that a mail is tried.
 */
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
    await writeToOutbox(config, id, message)
    return undefined
  }
}
