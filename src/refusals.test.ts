// Refusals, and the language in which they are said.
import { afterAll, expect, test } from 'vitest'
import { refusalText } from '#words/refusals.ts'
import { publishBook } from '#test/legal.ts'
import { openTestShop } from '#test/shop.ts'
import { allRefusals } from '#contract/refusals.ts'

const shop = await openTestShop()
afterAll(() => shop[Symbol.asyncDispose]())

/** Only admins or programs meet these. */
const untranslated = [
  ...'backups book editions gifts mail_setup mails messages pictures settings uploads users withdrawals'.split(
    ' ',
  ),
  ...'request.unsupported_type payments.bad_signature payments.thin_event payments.not_connected'.split(' '),
  ...'payments.webhook_refused payments.still_open payments.not_waiting payments.not_acceptable'.split(' '),
  ...'payments.money_gone payments.nothing_paid payments.not_set auth.common_password'.split(' '),
  'access.factor_needed',
  'letters.not_found',
  'webhook',
  'excerpt.too_large',
  'excerpt.other_format',
  'products.edition_not_found',
  ...'auth.no_authorization auth.bad_jwt auth.refresh_token_not_found'.split(' '),
  ...'auth.refresh_token_already_used discounts.code_taken discounts.too_many discounts.not_found'.split(' '),
  ...'purchases.buyer_erased purchases.not_locked products.not_a_bundle products.archived products.no_download'.split(
    ' ',
  ),
  ...'purchases.refund_too_large purchases.refunded_meanwhile setup.opened setup.opening setup.in_use'.split(
    ' ',
  ),
  ...'purchase_moves.not_movable purchase_moves.same_account purchase_moves.account_disabled'.split(' '),
  ...'releases.already_out releases.too_late'.split(' '),
  ...'setup.restore_busy setup.restore_not_open setup.restore_obstacle setup.several_processes'.split(' '),
  ...'setup.nothing_for_sale setup.chapter_not_found shipments.not_shipped'.split(' '),
  ...'shipments.not_owed shipments.too_late_to_undo stock.not_on_paper stock.changed_meanwhile'.split(' '),
]

test('each refusal that a visitor or reader can meet is among the texts', () => {
  const missing = Object.keys(allRefusals).filter((code) => refusalText(code) === undefined)
  expect(
    missing.filter((code) => !untranslated.some((name) => code === name || code.startsWith(`${name}.`))),
  ).toEqual(['auth.weak_password'])
  expect(untranslated.filter((name) => refusalText(name) !== undefined)).toEqual([])
})

test('a reader of a German book is refused in German, by the same codes; the admin area stays English', async () => {
  const admin = await shop.person({ role: 'admin' })
  expect((await publishBook(admin, { language: 'de' })).status).toBe(200)

  const send = async (path: string, body: unknown) => {
    const response = await fetch(shop.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  const email = 'nobody@example.com'
  expect(await send('/auth/v1/token?grant_type=password', { email, password: 'wrong-one' })).toMatchObject({
    code: 'invalid_credentials',
    message: 'E-Mail-Adresse oder Passwort ist nicht richtig',
  })
  expect(await send('/auth/v1/signup', { email, password: 'abc' })).toMatchObject({
    code: 'weak_password',
    message: 'Das Passwort muss mindestens 6 Zeichen lang sein.',
  })
  expect(
    await send('/api/contact', { name: 'Ruth', email: 'ruth', subject: 'x', message: '' }),
  ).toMatchObject({
    code: 'request.invalid',
    detail: 'Bitte prüfen Sie Ihre Eingaben.',
    fields: {
      email: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
      message: 'Bitte füllen Sie dieses Feld aus.',
    },
  })
  const ofAdmin = await admin.call('POST', '/api/admin/discounts', { body: { code: '' } })
  expect(await ofAdmin.json()).toMatchObject({ detail: 'Some fields need your attention.' })
})
