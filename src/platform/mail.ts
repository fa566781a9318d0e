// The ways by which emails leave the shop: SMTP, or files of the outbox.
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import type { SendMailOptions, SMTPTransportOptions } from 'nodemailer'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { isLoopback, mailPorts } from '#contract/network.ts'
import { PermanentFailure } from './queue.ts'
import { connectToPublic, PrivateHostError } from './public-connection.ts'
import { once } from './cached.ts'
import { memoized, type Settings } from './settings.ts'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import { unlessMissing } from './errors.ts'
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { platformProblem } from './problem.ts'

export type Email = {
  to: string
  subject: string
  /** Replaces a subject that has a secret, wherever one is stored or shown. */
  storedSubject?: string
  html: string
  text: string
  replyTo?: string
  /** Opened, a page; posted to, it stops such emails (RFC 8058). */
  unsubscribeUrl?: string
  /** True for an email to many. */
  isBulk?: boolean
  /** Screens show nothing of the text without the list. */
  secrets?: readonly Secret[]
}

export type Mail = {
  /** The same `id` gives the same Message-ID, so that a mailbox shows a retried email once. Returns the server's response. */
  send(email: Email, id: string): Promise<string | undefined>
  /** False where no mail server is set: emails go to the outbox. */
  sendsMail(): boolean
}

/** The mail server is still at it. `outcome` settles as the attempt does, some 20 minutes later at most. */
export class SlowAnswer extends Error {
  readonly outcome: Promise<string | undefined>
  constructor(outcome: Promise<string | undefined>) {
    super('The mail server has not answered yet.')
    this.outcome = outcome
  }
}

/** The whole email was written, and no response came: the server may have taken it. */
export class UnknownOutcome extends Error {}

type Dependencies = { config: Pick<Config, 'smtpUrl' | 'dataDir'>; settings: Pick<Settings, 'get'> }

export function senderOf(settings: Dependencies['settings']): { name: string; address: string } {
  const { from_name: name, from_address } = settings.get().mail
  return { name, address: from_address || `shop@${hostOf(settings)}` }
}

function hostOf(settings: Dependencies['settings']): string {
  return new URL(settings.get().shop.site_url).hostname
}

/** Calls an attempt slow from `slowMs` on: `send` throws SlowAnswer, and the attempt goes on. */
export function openMail(dependencies: Dependencies, slowMs = 15_000): Mail {
  const { config, settings } = dependencies
  const compose = (
    { to, unsubscribeUrl, isBulk, secrets: _secrets, storedSubject: _stored, ...email }: Email,
    id: string,
  ): SendMailOptions => ({
    ...email,
    from: senderOf(settings),
    // An address is never parsed as a list of several.
    to: { name: '', address: to },
    messageId: `<${id}@${hostOf(settings)}>`,
    headers: {
      // RFC 3834 marks what a program writes of its own accord, and not what the author sends to many.
      ...(!isBulk && { 'Auto-Submitted': 'auto-generated' }),
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const channel = memoized(
    () => findServer(dependencies),
    (server) => (server ? smtp(server, compose, slowMs) : outbox(config, compose)),
  )
  return {
    send: (email, id) => channel()(email, id),
    sendsMail: () => findServer(dependencies) !== undefined,
  }
}

type Server = NonNullable<ReturnType<typeof findServer>>

function findServer({ config, settings }: Dependencies) {
  const name = greetingOf(settings.get().shop.site_url)
  // A name in the URL, as with `?name=`, is used instead.
  if (config.smtpUrl) return { name, url: config.smtpUrl }
  const { host, port, encryption, user, password = '', is_public_only } = settings.get().mail
  if (!host) return undefined
  return {
    name,
    host: host.replace(/^\[(.+)\]$/, '$1'),
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    auth: user ? { user, pass: password } : undefined,
    isPublicOnly: is_public_only,
  }
}

/**
 * The shop's name in EHLO (RFC 5321, 4.1.1.1 and 4.1.3): a name with a dot or an address in brackets. Relays refuse
 * others. Where the site has neither, or has an address that every machine has, nodemailer uses the machine's name.
 */
function greetingOf(site_url: string): string | undefined {
  if (isLoopback(site_url)) return undefined
  const host = new URL(site_url).hostname
  if (host.startsWith('[')) return host.replace('[', '[IPv6:')
  if (isIPv4(host)) return `[${host}]`
  const name = host.replace(/\.$/, '')
  return name.includes('.') ? name : undefined
}

export async function logInToMailServer(dependencies: Dependencies): Promise<boolean> {
  const server = findServer(dependencies)
  if (!server) return false
  const transport = await createTransport(server, checkTimeouts)
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

/** Somebody waits for the result. */
const checkTimeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 15_000,
  dnsTimeout: 10_000,
}

/** RFC 5321, 4.5.3.2: five minutes for the greeting and each command, ten for the response to the whole email. */
const sendTimeouts = {
  connectionTimeout: 60_000,
  greetingTimeout: 300_000,
  socketTimeout: 600_000,
  dnsTimeout: 30_000,
}

async function createTransport(server: Server, timeouts: typeof checkTimeouts) {
  const { createTransport: create } = await nodemailer()
  const isChecked = 'isPublicOnly' in server && server.isPublicOnly
  return create({ ...timeouts, ...server, ...(isChecked && { getSocket: socketsTo(server, timeouts) }) })
}

type Host = { host: string; port: number }

function socketsTo(
  { host, port }: Host,
  { connectionTimeout: timeoutMs }: typeof checkTimeouts,
): NonNullable<SMTPTransportOptions['getSocket']> {
  const open = callbackify(async () => {
    if (!mailPorts.includes(port)) throw new PrivateHostError()
    return { connection: await connectToPublic({ host, port, timeoutMs }) }
  })
  return (_options, done) => open(done)
}

/** Beyond these, attempts are made one by one, so that other mail goes on. */
const maxSlow = 2
/** Stays below what a job may take (queue.ts), together with the time of an attempt. */
const maxWaitMs = 60_000

function smtp(server: Server, compose: Compose, slowMs: number): Send {
  const written = new Set<string>()
  const open = once(async () => {
    const transport = await createTransport(server, sendTimeouts)
    return transport.use('stream', ({ message }, done) => {
      const end = new PassThrough().once('end', () => written.add(message.messageId()))
      message.transform(end)
      done()
    })
  })
  let slow = 0
  let turn: Promise<unknown> = Promise.resolve()

  async function attempt(email: Email, id: string): Promise<string | undefined> {
    const transport = await open()
    const composed = compose(email, id)
    const messageId = String(composed.messageId)
    try {
      return (await transport.sendMail(composed)).response
    } catch (error) {
      if (isRecipientRefused(error)) throw new PermanentFailure(error.message, { cause: error })
      const isUnknown = written.has(messageId) && !isAnswer(error)
      throw isUnknown ? new UnknownOutcome('The mail server did not answer.', { cause: error }) : error
    } finally {
      written.delete(messageId)
    }
  }

  async function sendUnlessSlow(email: Email, id: string, askedAt = Date.now()) {
    if (slow > maxSlow || Date.now() - askedAt > maxWaitMs)
      throw new Error('The mail server answers slowly, and this email has to wait.')
    const outcome = attempt(email, id)
    const isSlow = await Promise.race([
      outcome.then(
        () => false,
        () => false,
      ),
      sleep(slowMs, true, { ref: false }),
    ])
    if (!isSlow) return outcome
    slow += 1
    const ended = () => void (slow -= 1)
    outcome.then(ended, ended)
    throw new SlowAnswer(outcome)
  }

  return (email, id) => {
    if (slow < maxSlow) return sendUnlessSlow(email, id)
    const askedAt = Date.now()
    const sent = turn.then(() => sendUnlessSlow(email, id, askedAt))
    turn = sent.catch(() => undefined)
    return sent
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

const isAnswer = (error: unknown) => z.object({ responseCode: z.number() }).safeParse(error).success

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

type DataFolder = Pick<Config, 'dataDir'>

/** The time in UTC, by which names sort, and the id of the mail's job. */
const outboxFileName = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

export function outboxFolder({ dataDir }: DataFolder): string {
  return join(dataDir, 'outbox')
}

/** Names what of the message no screen shows. A message without it is shown on none. */
const secretsHeader = 'x-secrets'
const secret = z.object({ text: z.string(), shown: z.string(), isForRecipient: z.boolean() })
const secretList = z.array(secret)
/** A part of an email's text, and what screens show instead, except, for some, to the recipient. */
export type Secret = z.output<typeof secret>

export async function writeToOutbox(
  data: DataFolder,
  id: string,
  { message, secrets }: { message: Buffer; secrets?: readonly Secret[] | undefined },
): Promise<void> {
  const folder = outboxFolder(data)
  await mkdir(folder, { recursive: true })
  const aside = join(folder, `.${randomUUID()}`)
  const header = secrets ? `${secretsHeader}: ${toBase64(secrets)}\r\n` : ''
  await writeFile(aside, Buffer.concat([Buffer.from(header), message]), { flush: true, mode: 0o600 })
  await rename(aside, join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${id}.eml`))
}

export async function listOutbox(data: DataFolder): Promise<string[]> {
  const files = await readdir(outboxFolder(data)).catch(unlessMissing)
  return (files ?? [])
    .map((file) => file.replace(/\.eml$/, ''))
    .filter((name) => outboxFileName.safeParse(name).success)
    .toSorted()
    .toReversed()
}

export async function removeFromOutbox(data: DataFolder, ids: readonly string[]): Promise<void> {
  const names = ids.length > 0 ? await listOutbox(data) : []
  for (const name of names.filter((each) => ids.some((id) => each.endsWith(id))))
    await rm(join(outboxFolder(data), `${name}.eml`), { force: true })
}

/** The newest, where several attempts have written it. */
export async function findInOutbox(data: DataFolder, id: string): Promise<OutboxMail | undefined> {
  const name = (await listOutbox(data)).find((each) => each.endsWith(id))
  return name === undefined ? undefined : readFromOutbox(data, name)
}

export type OutboxMail = {
  path: string
  writtenAt: Date
  from: string
  to: string
  replyTo: string | undefined
  subject: string
  html: string
  text: string
  /** Undefined where the message does not say them: then none of it may be shown. */
  secrets: readonly Secret[] | undefined
}

async function readFromOutbox(data: DataFolder, name: string): Promise<OutboxMail | undefined> {
  if (!outboxFileName.safeParse(name).success) return undefined
  const path = join(outboxFolder(data), `${name}.eml`)
  const message = await readFile(path).catch(unlessMissing)
  if (!message) return undefined
  const { default: PostalMime } = await import('postal-mime')
  const { headers, from, to, replyTo, subject = '', html = '', text = '' } = await PostalMime.parse(message)
  const header = headers.find(({ key }) => key === secretsHeader)
  const [, day = '', hour = '', minute = '', second = '', ms = ''] =
    /^(.{10})T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/.exec(name) ?? []
  return {
    path,
    writtenAt: new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`),
    from: written(from),
    to: to?.map(written).join(', ') ?? '',
    replyTo: replyTo?.map(written).join(', '),
    subject,
    html,
    text,
    secrets: header && fromBase64(header.value),
  }
}

/** One word, so that no line of the header is folded. */
function toBase64(secrets: readonly Secret[]): string {
  return Buffer.from(JSON.stringify(secrets)).toString('base64url')
}

function fromBase64(value: string): Secret[] | undefined {
  try {
    return secretList.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))
  } catch {
    return undefined
  }
}

function written(person: { name: string; address?: string } | undefined): string {
  if (!person?.address) return person?.name ?? ''
  return person.name ? `${person.name} <${person.address}>` : person.address
}

export function devMailbox(config: Pick<Config, 'dataDir'>) {
  return new Hono()
    .get('/', async (c) => {
      const names = (await listOutbox(config)).slice(0, 50)
      const result = await Promise.all(
        names.map(async (name) => ({ name, mail: await readFromOutbox(config, name) })),
      )
      return c.html(
        html`<!doctype html>
          <title>Mailbox</title>
          <style>
            body {
              font: 16px/1.5 system-ui;
              margin: 2rem auto;
              max-width: 46rem;
              padding: 0 1rem;
              color-scheme: light dark;
            }
            li {
              margin: 0.5rem 0;
            }
            small {
              opacity: 0.7;
            }
          </style>
          <h1>Mailbox</h1>
          ${result.length === 0 ? html`<p>No mail yet. It appears here when the shop sends one.</p>` : ''}
          <ul>
            ${result.map(
              ({ name, mail }) =>
                html`<li>
                  <a href="/dev/mailbox/${name}">${mail?.subject}</a><br />
                  <small>to ${mail?.to}, ${mail?.writtenAt.toISOString()}</small>
                </li>`,
            )}
          </ul>`,
      )
    })
    .get('/:name', async (c) => {
      const mail = await readFromOutbox(config, c.req.param('name'))
      if (!mail) throw platformProblem('request.not_found')
      return c.html(html`${raw(mail.html)}`)
    })
}
