// Rules of the mailbox page for development.
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'

test('in development the mails of the outbox can be read, and nothing else', async () => {
  await using shop = await openTestShop({ env: { NODE_ENV: 'development' } })
  expect(await (await shop.call('GET', '/dev/mailbox')).text()).toContain('No mail yet')
  const user = await shop.person()
  await user.buy((await shop.product('digital')).id)
  await shop.mailbox.to(user.email)
  const list = await (await shop.call('GET', '/dev/mailbox')).text()
  expect(list).toContain('Your receipt for Nine P&#39;s that Change Everything')
  const [, path] = /href="(\/dev\/mailbox\/[^"]+)"/.exec(list)!
  expect(await (await shop.call('GET', path!)).text()).toContain('Thank you for your purchase')
  for (const name of ['none.eml', '..%2fsecret', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00']) {
    expect((await shop.call('GET', `/dev/mailbox/${name}`)).status).toBe(404)
  }
})

test('outside development there is no such page', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  expect((await shop.call('GET', '/dev/mailbox')).status).toBe(404)
})
