import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { unlessMissing } from './errors.ts'
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { platformProblem } from './problem.ts'

type Place = Pick<Config, 'dataDir'>

/** The time in UTC, by which names sort, and the id of the mail's job. */
const keptMailName = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

export function outboxFolder({ dataDir }: Place): string {
  return join(dataDir, 'outbox')
}

/** Names what of the message no screen shows. A message without it is shown on none. */
const secretsHeader = 'x-secrets'
const secret = z.object({ text: z.string(), shown: z.string(), isForRecipient: z.boolean() })
const secretList = z.array(secret)
/** A part of an email's text, and what screens show instead, except, for some, to the recipient. */
export type Secret = z.output<typeof secret>

export async function writeToOutbox(
  place: Place,
  id: string,
  { message, secrets }: { message: Buffer; secrets?: readonly Secret[] | undefined },
): Promise<void> {
  const folder = outboxFolder(place)
  await mkdir(folder, { recursive: true })
  const aside = join(folder, `.${randomUUID()}`)
  const header = secrets ? `${secretsHeader}: ${toBase64(secrets)}\r\n` : ''
  await writeFile(aside, Buffer.concat([Buffer.from(header), message]), { flush: true, mode: 0o600 })
  await rename(aside, join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${id}.eml`))
}

export async function listOutbox(place: Place): Promise<string[]> {
  const files = await readdir(outboxFolder(place)).catch(unlessMissing)
  return (files ?? [])
    .map((file) => file.replace(/\.eml$/, ''))
    .filter((name) => keptMailName.safeParse(name).success)
    .toSorted()
    .toReversed()
}

export async function removeFromOutbox(place: Place, ids: readonly string[]): Promise<void> {
  const names = ids.length > 0 ? await listOutbox(place) : []
  for (const name of names.filter((each) => ids.some((id) => each.endsWith(id))))
    await rm(join(outboxFolder(place), `${name}.eml`), { force: true })
}

/** The newest, where several attempts have written it. */
export async function findInOutbox(place: Place, id: string): Promise<OutboxMail | undefined> {
  const name = (await listOutbox(place)).find((each) => each.endsWith(id))
  return name === undefined ? undefined : readFromOutbox(place, name)
}

export type OutboxMail = {
  path: string
  keptAt: Date
  from: string
  to: string
  replyTo: string | undefined
  subject: string
  html: string
  text: string
  /** Undefined where the message does not say them: an earlier version has written it. */
  secrets: readonly Secret[] | undefined
}

async function readFromOutbox(place: Place, name: string): Promise<OutboxMail | undefined> {
  if (!keptMailName.safeParse(name).success) return undefined
  const path = join(outboxFolder(place), `${name}.eml`)
  const message = await readFile(path).catch(unlessMissing)
  if (!message) return undefined
  const { default: PostalMime } = await import('postal-mime')
  const { headers, from, to, replyTo, subject = '', html = '', text = '' } = await PostalMime.parse(message)
  const header = headers.find(({ key }) => key === secretsHeader)
  const [, day = '', hour = '', minute = '', second = '', ms = ''] =
    /^(.{10})T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/.exec(name) ?? []
  return {
    path,
    keptAt: new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`),
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
                  <small>to ${mail?.to}, ${mail?.keptAt.toISOString()}</small>
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
