// In development, /dev/mailbox shows the mails that went to DATA_DIR/outbox, newest first.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Config } from '../config.ts'
import { PlatformRefusal } from './refusal.ts'

export function devMailbox({ dataDir }: Pick<Config, 'dataDir'>) {
  const folder = join(dataDir, 'outbox')

  async function read(name: string) {
    const { default: PostalMime } = await import('postal-mime')
    return PostalMime.parse(await readFile(join(folder, basename(name))))
  }

  return new Hono()
    .get('/', async (c) => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
      const mails = await Promise.all(
        names
          .toSorted()
          .toReversed()
          .slice(0, 50)
          .map(async (name) => ({ name, mail: await read(name) })),
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
          ${mails.length === 0 ? html`<p>No mail yet. It appears here when the shop sends one.</p>` : ''}
          <ul>
            ${mails.map(
              ({ name, mail }) =>
                html`<li>
                  <a href="/dev/mailbox/${name}">${mail.subject}</a><br />
                  <small>to ${mail.to?.map((to) => to.address).join(', ')}, ${mail.date}</small>
                </li>`,
            )}
          </ul>`,
      )
    })
    .get('/:name', async (c) => {
      const mail = await read(c.req.param('name')).catch(() => {
        throw new PlatformRefusal('request.not_found')
      })
      return c.html(html`${raw(mail.html ?? `<pre>${mail.text}</pre>`)}`)
    })
}
