// An email is looked at before it is sent: by the admin who asked, as its reader gets it, in a page that runs nothing.
import { expect, test } from 'vitest'
import type { GrantCheck } from '#contract/delivery/gifts.ts'
import { mailPreviewPath, type MailPreview } from '#contract/mail/mail-preview.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'

const openPage = (shop: TestShop, token: string) =>
  fetch(shop.url + mailPreviewPath, { method: 'POST', body: new URLSearchParams({ token }) })

async function check(admin: Person, request: object): Promise<GrantCheck> {
  return (await (await admin.call('POST', '/api/admin/gifts/check', { body: request })).json()) as GrantCheck
}

test('a free copy is previewed with the words and the name that its first recipient gets', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const owner = await shop.person()
  const { id: product_id } = await shop.product('digital')
  await owner.buy(product_id)
  const list = `${owner.email}\nnew@example.com, Nina <b>`
  const { mail } = await check(admin, { product_id, list, message: 'For your <i>review</i>.' })
  expect(mail.text).toContain('Dear Nina')
  expect(mail.text).toContain('signs you in')
  const page = await openPage(shop, mail.token)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/)
  const html = await page.text()
  expect(html).toContain('For your &lt;i&gt;review&lt;/i&gt;.')
  expect(html).not.toMatch(/<i>|<b>|#\w{20}/)
  const { mail: toOwner } = await check(admin, { product_id, list: (await shop.person()).email, message: '' })
  expect(toOwner.text).not.toContain('signs you in')
})

test('a preview opens for an hour, and nobody makes one', async () => {
  await using shop = await openTestShop({ clock })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const { mail } = await check(admin, { product_id, list: 'new@example.com', message: '' })
  expect((await openPage(shop, mail.token)).status).toBe(200)
  for (const token of [`${mail.token}x`, '', 'none']) expect((await openPage(shop, token)).status).toBe(404)
  expect((await openPage(shop, 'x'.repeat(70_000))).status).toBe(413)
  time.ahead += 61 * 60_000
  expect((await openPage(shop, mail.token)).status).toBe(410)
})

test('a reply is previewed as it is typed, and what was looked at goes to the admin alone', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const contact = { name: 'Ruth', email: 'ruth@moab.example', subject: 'Barley', message: 'Where is it?' }
  await shop.call('POST', '/api/contact', { body: { ...contact, website: '' } })
  const { items } = (await (await admin.call('GET', '/api/admin/messages')).json()) as {
    items: { id: string }[]
  }
  await smtp.arrived(1)
  const body = 'It is on the threshing floor. '.repeat(330)
  const asked = await admin.call('POST', `/api/admin/messages/${items[0]?.id}/preview`, { body: { body } })
  const { token, text, subject } = (await asked.json()) as MailPreview
  expect(subject).toContain('Barley')
  expect(text).toContain('Where is it?')
  expect(await (await openPage(shop, token)).text()).toContain('threshing floor')
  const sent = await admin.call('POST', '/api/admin/mail/preview', { body: { token } })
  expect(await sent.json()).toMatchObject({ is_accepted: true, to: admin.email })
  await smtp.arrived(2)
  expect(smtp.emails.at(-1)?.envelope.to).toEqual([admin.email])
  expect(smtp.emails.at(-1)?.email.subject).toBe(subject)
})
