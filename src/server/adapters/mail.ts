// Mail: through SMTP when it is set, else one .eml file a message in DATA_DIR/outbox.
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../config.ts'
import { once } from '../kept.ts'

export type Letter = {
  to: string
  subject: string
  html: string
  text: string
  /** Where an answer goes, when a person would read it. */
  replyTo?: string
}

export type Mail = {
  /**
   * Resolves when the next server, or the disk, has taken the letter; throws when it has not.
   * The same `id` gives the same Message-ID, so that a mailbox shows a repeated letter once.
   */
  send(letter: Letter, id: string): Promise<void>
}

export function openMail(config: Pick<Config, 'smtpUrl' | 'dataDir' | 'mailFrom' | 'siteUrl'>): Mail {
  const domain = new URL(config.siteUrl).hostname
  const compose = ({ to, ...letter }: Letter, id: string): SendMailOptions => ({
    ...letter,
    from: config.mailFrom,
    // As an object: an address is never parsed as a list of several.
    to: { name: '', address: to },
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return config.smtpUrl ? smtp(config.smtpUrl, compose) : outbox(join(config.dataDir, 'outbox'), compose)
}

/** Loaded with the first letter, not at the start. */
const nodemailer = () => import('nodemailer')

type Compose = (letter: Letter, id: string) => SendMailOptions

/** A server that does not answer is given up after 10 s a step; the job tries again later. */
function smtp(url: string, compose: Compose): Mail {
  const patience = {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 10_000,
    dnsTimeout: 10_000,
  }
  const open = once(async () => (await nodemailer()).createTransport({ url, ...patience }))
  return {
    async send(letter, id) {
      const transport = await open()
      await transport.sendMail(compose(letter, id))
    },
  }
}

/** Named by time so that a folder listing is in order; renamed into place so that no reader sees half a letter. */
function outbox(folder: string, compose: Compose): Mail {
  const open = once(async () =>
    (await nodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'crlf' }),
  )
  return {
    async send(letter, id) {
      const transport = await open()
      const { message } = await transport.sendMail(compose(letter, id))
      await mkdir(folder, { recursive: true })
      const aside = join(folder, `.${randomUUID()}`)
      await writeFile(aside, message as Buffer, { flush: true, mode: 0o600 })
      await rename(aside, join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${id}.eml`))
    },
  }
}
