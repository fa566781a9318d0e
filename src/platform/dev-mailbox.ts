import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Config } from '../config.ts'
import { listOutbox, readFromOutbox } from './outbox.ts'
import { PlatformRefusal } from './refusal.ts'

export function devMailbox(config: Pick<Config, 'dataDir'>) {
  return new Hono()
    .get('/', async (c) => {
      const names = (await listOutbox(config)).slice(0, 50)
      const found = await Promise.all(
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
          ${found.length === 0 ? html`<p>No mail yet. It appears here when the shop sends one.</p>` : ''}
          <ul>
            ${found.map(
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
      if (!mail) throw new PlatformRefusal('request.not_found')
      return c.html(html`${raw(mail.html)}`)
    })
}
