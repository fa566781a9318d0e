// A shop that offers letters, takes money and sends mail; and what a visitor reads and presses in it.
import { startStripe } from '@lectern/stripe-stand-in'
import { vi } from 'vitest'
import { lettersWords } from '#contract/mail/letters-words.ts'
import type { Log } from '#platform/log.ts'
import { buyAsGuest, openGuestShop, rows, settleAsGuest, type Visitor } from './guests.ts'
import { sessionOf } from './paying.ts'
import { saveGroup } from './settings.ts'
import type { TestShop } from './shop.ts'
import { openSmtpServer, type TestSmtpServer } from './smtp.ts'
import { clock } from './time.ts'
import type { Person } from './users.ts'

export const terms = {
  sender: 'Anna Miller',
  topics: 'news of my books',
  frequency: 'once a month',
  program: '',
}
export const words = lettersWords(terms)

type Options = { log?: Log; env?: Record<string, string> }

export async function openLetters({ log, env = {} }: Options = {}) {
  const stack = new AsyncDisposableStack()
  const stripe = stack.use(await startStripe())
  const smtp = stack.use(await openSmtpServer())
  const shop = stack.use(
    await openGuestShop(stripe, {
      env: { SMTP_URL: smtp.url, RATE_LIMIT: 'on', ...env },
      clock,
      ...(log && { log }),
    }),
  )
  const admin = await shop.person({ role: 'admin' })
  await saveGroup(admin, { revision: 0, values: { is_on: true, ...terms } }, 'letters')
  async function buy(visitor: Visitor, letters?: string) {
    const { id } = await buyAsGuest(shop, visitor, letters === undefined ? {} : { letters })
    stripe.pay(sessionOf(stripe, id).id)
    await settleAsGuest(shop, id, visitor.proof)
    return id
  }
  return { shop, admin, stripe, smtp, buy, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export const list = (shop: TestShop) =>
  rows<{ email: string; source: string | null; is_confirmed: boolean; is_ended: boolean }>(
    shop,
    `select email, coalesce(source, requested_source) as source, confirmed_at is not null as is_confirmed,
      ended_at is not null as is_ended from subscribers order by created_at`,
  )

export async function mailTo(smtp: TestSmtpServer, email: string, subject: RegExp): Promise<string> {
  const find = () =>
    smtp.emails.findLast(
      ({ envelope, email: mail }) => envelope.to[0] === email && subject.test(mail.subject ?? ''),
    )
  return (await vi.waitUntil(find, 20_000)).email.text ?? ''
}

export const tokenIn = (text: string) => /\/letters#([\w-]{43})/.exec(text)?.[1]

export const press = (shop: TestShop, call: 'show' | 'confirm' | 'refuse', token = '') =>
  shop.call('POST', `/api/letters/${call}`, { body: { token } })

export async function readCsv(shop: TestShop, admin: Person): Promise<string> {
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'subscribers' } })
  const { url } = (await asked.json()) as { url: string }
  return (await shop.call('GET', url)).text()
}
