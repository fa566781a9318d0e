// Copies for others: gifts of readers, free copies of the author, and purchases under a mistyped address.
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { part } from './part.ts'
import { mailTo } from './mailing.ts'
import { admin, expect, refusals, type Shop, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, post, signIn, someone } from './users.ts'

test.describe('with a mail server', () => {
  test.use({ sendsMail: true })

  test('a gift is given, opened and downloaded; another waits for its day and is taken back', async ({
    page,
    shop,
    smtp,
    chrome,
    complaints,
  }) => {
    await part(
      page,
      'a gift is given, opened by its link, which signs in, and downloaded; the author sees both orders',
      async () => {
        const to = someone()
        const { email, name } = await enterAsBuyer(page, shop)
        const form = await give(page, name, to)
        await form.getByRole('button', { name: 'Give it' }).click()
        await expect(page.getByText('Gift Saved')).toBeVisible()
        await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
        const mail = await mailTo(smtp, to, /^Aquila of Pontus gives you/)
        await page.reload()
        await expect(page.getByText(`A gift for ${to}. The email was sent on`)).toBeVisible()

        await using reader = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
        reader.setDefaultTimeout(30_000)
        const tab = await reader.newPage()
        const link = /https?:\/\/\S+\/gift#\S+/.exec(mail.text!)![0]
        await tab.goto(link)
        await expect(tab.getByRole('heading', { name: `Aquila of Pontus gives you ${name}` })).toBeVisible()
        await expect(tab.getByText('With love')).toBeVisible()
        await tab.getByRole('button', { name: 'Open the gift' }).click()
        await expect(tab.getByText('A gift from Aquila of Pontus.')).toBeVisible()
        const [file] = await Promise.all([
          tab.waitForEvent('download'),
          tab
            .getByRole('button', { name: /^Download/ })
            .first()
            .click(),
        ])
        expect(await file.failure()).toBe(null)

        await using elsewhere = await chrome.newContext({ baseURL: shop.url })
        const other = await elsewhere.newPage()
        await other.goto(link)
        await other.getByRole('button', { name: 'Open the gift' }).click()
        await expect(other.getByRole('heading', { name: 'Your gift is open' })).toBeVisible()
        await other.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
        await expect(other.getByLabel('Email').filter({ visible: true })).toHaveValue(to)

        await page.reload()
        await expect(page.getByText(`Your gift for ${to} was opened on`)).toBeVisible()
        await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
        await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
        await expect(page.getByText(`It was given to ${to}, who opened it`)).toBeVisible()
        await page.getByRole('link', { name: /^Order #/ }).click()
        await expect(page.getByText('A gift, paid with')).toBeVisible()
        await expect(page.getByText('The file was downloaded whole')).toBeVisible()
      },
    )

    await part(
      page,
      'a gift for a day waits for it, and is taken back and given anew; a link from before opens nothing',
      async () => {
        const [wrong, right] = [someone(), someone()]
        const { name } = await enterAsBuyer(page, shop)
        const form = await give(page, name, wrong)
        const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
        await form.getByLabel('On a day (optional)').fill(day)
        await form.getByRole('button', { name: 'Give it' }).click()
        await expect(page.getByText(`A gift for ${wrong}. The email goes out on`)).toBeVisible()

        const takeBack = async () => {
          await page.getByRole('button', { name: 'Take back', exact: true }).click()
          await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
          await expect(page.getByText('Gift Taken Back')).toBeVisible()
        }
        await takeBack()
        const anew = await give(page, name, right)
        await anew.getByRole('button', { name: 'Give it' }).click()
        const mail = await mailTo(smtp, right, /gives you/)
        await page.reload()
        await takeBack()
        await expect(page.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
        await page.goto(/https?:\/\/\S+\/gift#\S+/.exec(mail.text!)![0])
        await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
        expect(refusals(complaints)).toHaveLength(1)
      },
    )
  })
})

test('a purchase under a mistyped address is found and moved', async ({ page, shop, chrome }) => {
  await part(
    page,
    'a purchase under a mistyped address is moved to the right one, and the other may object',
    async () => {
      const [wrong, right] = [await makeUser(shop), await makeUser(shop)]
      const { name } = await buy(shop, await signIn(shop, { email: wrong, password }), 'digital')
      await enterAdmin(page, shop, '/admin/purchases')
      const order = page.getByRole('row').filter({ hasText: wrong }).getByRole('link').first()
      // As a message leads to it that may mean this order.
      await page.goto(`${await order.getAttribute('href')}#change-email=${encodeURIComponent(right)}`)
      const question = page.getByRole('dialog', { name: 'Change the buyer’s email' })
      await expect(question.getByLabel('New email')).toHaveValue(right)
      await question.getByLabel('Reason').fill('The buyer wrote from the right address.')
      await question.getByRole('button', { name: 'Change the email' }).click()
      await expect(page.getByText('Email changed')).toBeVisible()
      await expect(page.getByText(`From ${wrong} to ${right}`)).toBeVisible()

      const see = async (email: string) => {
        const context = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
        context.setDefaultTimeout(30_000)
        const tab = await context.newPage()
        await enter(tab, shop, email)
        await tab.goto('/dashboard')
        return tab
      }
      const own = await see(right)
      await expect(own.getByRole('heading', { name })).toBeVisible()
      const [file] = await Promise.all([
        own.waitForEvent('download'),
        own.getByRole('button', { name: /^Download EPUB/ }).click(),
      ])
      expect(await file.failure()).toBe(null)
      await own.context().close()
      const former = await see(wrong)
      await expect(former.getByText('No purchases yet')).toBeVisible()

      const mail = await shop.mailbox.to(wrong, /moved away/)
      await former.goto(/\S+\/purchase-moved#\S+/.exec(mail.text!)![0])
      await former.getByLabel('What should the author know? (optional)').fill('I bought it for my sister.')
      await former.getByRole('button', { name: 'I object' }).click()
      await expect(former.getByRole('heading', { name: 'The author has your objection' })).toBeVisible()
      await former.context().close()
      await page.reload()
      await expect(page.getByText('The former address has objected')).toBeVisible()
      await page.goto('/admin/messages')
      await page.getByRole('link', { name: /^Objection: order/ }).click()
      await expect(page.getByText('I bought it for my sister.')).toBeVisible()
    },
  )

  await part(
    page,
    'who cannot find a purchase writes to the author, who sees the order of the mistyped address',
    async () => {
      const mark = crypto.randomUUID().slice(0, 8)
      const { access_token } = await signIn(shop, admin)
      const wrong = `naomi-${mark}@exmaple.com`
      await post(shop, '/functions/v1/admin-create-user', { email: wrong, password }, access_token)
      await buy(shop, await signIn(shop, { email: wrong, password }), 'digital')
      await using context = await chrome.newContext({ baseURL: shop.url })
      context.setDefaultTimeout(30_000)
      const tab = await context.newPage()
      await tab.goto('/auth?form=code&next=/dashboard')
      const form = tab.getByRole('region', { name: 'Sign in with a code' })
      await form.getByLabel('Email').fill(`naomi-${mark}@example.com`)
      await form.getByLabel('Email').press('Enter')
      await tab.getByRole('link', { name: 'No code came, or your purchase is not there?' }).click()
      await expect(tab.getByRole('heading', { name: 'Find your purchase' })).toBeVisible()
      await tab.getByRole('button', { name: 'Write to the author' }).click()
      await expect(tab.getByLabel('Name')).toBeFocused()
      await tab.getByLabel('Name').fill('Naomi')
      await tab.getByLabel('Email').fill(`naomi-${mark}@example.com`)
      await tab.getByLabel('When you bought, about (optional)').fill('Last Sunday')
      await tab.getByRole('button', { name: 'Write to the author' }).click()
      await expect(tab.getByText('The author has your message')).toBeVisible()

      await enterAdmin(page, shop, '/admin/messages')
      await page.getByRole('link', { name: 'I cannot find my purchase' }).click()
      await expect(page.getByText('Last Sunday')).toBeVisible()
      const writer = page.getByRole('complementary', { name: 'Sender' })
      await expect(writer.getByText(wrong)).toBeVisible()
      await writer.getByRole('link', { name: /^#/ }).click()
      await expect(page.getByRole('button', { name: 'Change the buyer’s email' })).toBeVisible()
    },
  )
})

test('a code is made, entered before the sign-in, paid with, counted and ended', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/discounts')
  await page.getByRole('button', { name: 'Create code' }).click()
  await expect(page.getByText('Use 4 to 30 letters and digits')).toBeVisible()
  await page.getByLabel('Code').fill('spring-26')
  await page.getByLabel('Percent', { exact: true }).fill('20')
  await page.getByLabel('Uses').fill('1')
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await age(database, 'auth.sessions.proved_at', '11 minutes')
  await page.getByRole('button', { name: 'Create code' }).click()
  await expect(page.getByText('Code created')).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue('')
  const row = page.getByRole('listitem').filter({ hasText: 'SPRING-26' })
  await expect(row).toContainText('20% off · 0 of 1 used')
  await page.getByLabel('Code').fill('LESS')
  await page.getByLabel('Discount type').selectOption('amount_off')
  await page.getByLabel('Amount ($)').pressSequentially('7,50')
  await page.getByRole('button', { name: 'Create code' }).click()
  // It leaves less than half of the ebook's price, and nothing that was typed is lost.
  const proof = page.getByRole('dialog')
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Code')).toHaveValue('LESS')
  await page.getByRole('button', { name: 'Create code' }).click()
  await proof.getByLabel('Your password').fill(admin.password)
  await proof.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'LESS' })).toContainText('$7.50 off')
  expect(refusals(complaints)).toHaveLength(2)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy link with LESS' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${shop.url}/?code=LESS`)

  await enter(page, shop, await makeUser(shop))
  await page.goto('/?code=spring-26#book-sales')
  const sales = page.locator('#book-sales')
  await expect(sales.getByText('SPRING-26: 20% off')).toBeVisible()
  const digital = sales
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Buy Digital' }) })
  await expect(digital).toContainText('$11.99')
  await expect(digital).toContainText('instead of $14.99')
  const bundle = sales.getByRole('listitem').filter({ has: page.getByRole('button', { name: /bundle/i }) })
  await expect(bundle).toContainText('instead of $79.97')
  await expect(bundle).toContainText('Save $39.99')
  await expect(page).toHaveURL('/#book-sales')
  const codeLine = page.locator('[data-code-line]')
  await expect(codeLine).toHaveText('SPRING-26: 20% off')
  const roomOf = async () => (await codeLine.boundingBox())?.height
  expect(await roomOf()).toBe(44)
  await page.goto('/?code=nothing-here#book-sales')
  await expect(sales.getByRole('alert')).toContainText('This code is not valid')
  await expect(sales.getByText('SPRING-26: 20% off')).toBeVisible()
  await sales.getByRole('button', { name: 'Remove the code' }).click()
  await expect(codeLine).toBeHidden()
  const opener = sales.getByRole('button', { name: 'Have a discount code?' })
  await expect(opener).toBeFocused()
  await opener.click()
  await expect(sales.getByLabel('Discount code')).toBeFocused()
  await page.keyboard.type('spring-26')
  await page.keyboard.press('Enter')
  await expect(sales.getByRole('status').getByRole('paragraph')).toBeFocused()
  const busy = { status: 503, json: { status: 503, code: 'server.busy', detail: 'The shop is busy.' } }
  await page.route('**/api/discounts/check', (route) => route.fulfill(busy))
  await page.reload()
  await expect(sales.getByRole('alert')).toContainText('The shop is busy.')
  await expect(digital).toContainText('$14.99')
  await page.unroute('**/api/discounts/check')
  await page.reload()
  await expect(sales.getByText('SPRING-26: 20% off')).toBeVisible()
  expect(refusals(complaints)).toHaveLength(2)

  // The page of one product takes the code along.
  await page.goto('/buy/digital', { waitUntil: 'commit' })
  await expect(page).toHaveURL('/buy/digital?code=spring-26&kept=yes')
  const main = page.getByRole('main')
  await expect(main).toContainText('$11.99')
  await main.getByRole('link', { name: 'Remove the code' }).click()
  await expect(page).toHaveURL(/\/buy\/[\w-]+$/)
  await expect(main).toContainText('$14.99')

  await page.goto('/?code=spring-26#book-sales')
  await expect(sales.getByText('SPRING-26: 20% off')).toBeVisible()
  await sales.getByRole('button', { name: 'Buy Digital' }).click()
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('listitem')).toContainText('$11.99')

  await page.goto('/#book-sales')
  await expect(sales.getByRole('alert')).toContainText('used as often as it can be')
  await expect(digital).toContainText('$14.99')
  await sales.getByLabel('Discount code').fill('nothing-here')
  await sales.getByRole('button', { name: 'Apply' }).click()
  await expect(sales.getByRole('alert')).toContainText('This code is not valid')
  expect(refusals(complaints)).toHaveLength(2)

  await enterAdmin(page, shop, '/admin/discounts')
  await expect(row).toContainText('1 of 1 used')
  await page.getByLabel('Code').fill('half-filled')
  await database.pool.query(
    `insert into discount_codes (id, code, percent) values (gen_random_uuid(), 'OTHER', 10)`,
  )
  await page.getByRole('button', { name: 'End SPRING-26' }).click()
  await page.getByRole('button', { name: 'End the code' }).click()
  await expect(row).toContainText('Ended', { ignoreCase: true })
  await expect(page.getByRole('button', { name: 'End OTHER' })).toBeVisible()
  await page.route('**/api/admin/discounts', (route) => route.fulfill(busy))
  await page.getByRole('button', { name: 'End OTHER' }).click()
  await page.getByRole('button', { name: 'End the code' }).click()
  await expect(page.getByText('Failed to fetch the discount codes')).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue('half-filled')
  expect(refusals(complaints)).toHaveLength(1)
})

test('the author gives free copies, by a list and by a link', async ({ page, shop, chrome, complaints }) => {
  await part(
    page,
    'a list from a spreadsheet is checked, its mail is seen, and everybody on it gets one copy',
    async () => {
      await enterAdmin(page, shop, '/admin/discounts/gifts')
      await page.getByRole('button', { name: 'Preview the email' }).click()
      await expect(page.getByText('Please fill in this field.')).toBeVisible()
      await page.getByLabel('Product').selectOption({ label: "Nine P's that Change Everything" })
      const csv = 'Name;E-Mail\r\nMaria;maria@example.com\r\nNobody;no address\r\n'
      await page.getByLabel('To', { exact: true }).fill('typed@example.com')
      await page.getByLabel('Take the list from a CSV file').setInputFiles({
        name: 'readers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(csv),
      })
      await page.getByRole('button', { name: 'Replace it' }).click()
      await expect(page.getByLabel('To', { exact: true })).toHaveValue(/maria@example\.com/)
      await page.getByLabel('Your words (optional)').fill('Thank you for reading early.')
      await page.getByRole('button', { name: 'Preview the email' }).click()
      await expect(page.getByText('1 email will be kept.')).toBeVisible()
      await expect(page.getByText('The shop does not send email yet.')).toBeVisible()
      await expect(page.getByText('Line 3: There is no email address in this row.')).toBeVisible()
      const letter = page.frameLocator('iframe[title="The email as it looks"]')
      await expect(letter.getByText('Dear Maria,')).toBeVisible()
      expect((await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('A gift'))).toEqual([])
      await page.getByRole('button', { name: 'Change something' }).click()
      await expect(page.getByLabel('Your words (optional)')).toHaveValue('Thank you for reading early.')
      await page.getByRole('button', { name: 'Preview the email' }).click()
      await using database = openDatabase(shop.databaseUrl, { max: 1 })
      await age(database, 'auth.sessions.proved_at', '11 minutes')
      await page.getByRole('button', { name: 'Give, and keep 1 email' }).click()
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await proof.getByLabel('Your password').fill(admin.password)
      await proof.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByText('1 email is kept.')).toBeVisible()
      await expect(page.getByText('Line 3: There is no email address in this row.')).toBeVisible()
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await expect(page.getByLabel('To', { exact: true })).toHaveValue(/maria@example\.com/)
      await page.getByRole('button', { name: 'Preview the email' }).click()
      await expect(page.getByText('Nobody on this list gets anything.')).toBeVisible()
      const again = page.getByLabel('Send the email again to the one who got this before')
      await expect(again).toBeHidden()
      await page.getByRole('button', { name: 'Change something' }).click()
      // As after a mail server was set, some time later.
      await age(database, 'purchase_gifts.send_at', '11 minutes')
      await page.route('**/api/admin/gifts/check', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), is_mail_unsent: false } })
      })
      await page.getByRole('button', { name: 'Preview the email' }).click()
      await again.check()
      await page.getByRole('button', { name: 'Send 1 email' }).click()
      await page.getByRole('button', { name: 'Begin a new list' }).click()
      await expect(page.getByLabel('To', { exact: true })).toHaveValue('')
      await expect
        .poll(
          async () =>
            (await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('A gift')).length,
        )
        .toBe(2)
      expect(refusals(complaints)).toHaveLength(1)
      await expect(page.getByRole('link', { name: 'maria@example.com' })).toBeVisible()
      const mail = await shop.mailbox.to('maria@example.com', /A gift for you/)
      expect(mail.text).toContain('Thank you for reading early.')
      await page.getByRole('link', { name: 'maria@example.com' }).click()
      await expect(page.getByText('$0.00').first()).toBeVisible()
    },
  )

  await part(
    page,
    'a free copy is opened by its link, the list says so, and one that nobody opened is taken back',
    async () => {
      const [opens, mistyped] = [someone(), someone()]
      await enterAdmin(page, shop, '/admin/discounts/gifts')
      await page.getByLabel('Product').selectOption({ label: "Nine P's that Change Everything" })
      await page.getByLabel('To', { exact: true }).fill(`${opens}, Maria\n${mistyped}`)
      await page.getByLabel('Your words (optional)').fill('Thank you for reading early.')
      await page.getByRole('button', { name: 'Preview the email' }).click()
      await page.getByRole('button', { name: 'Give, and keep 2 emails' }).click()
      await expect(page.getByText('2 emails are kept.')).toBeVisible()
      await page.getByRole('button', { name: 'Done' }).click()
      const rowOf = (email: string) => page.getByRole('listitem').filter({ hasText: email })
      await expect(rowOf(opens)).toContainText('Not opened yet')

      const mail = await shop.mailbox.to(opens, /A gift for you/)
      await using recipient = await chrome.newContext({ baseURL: shop.url })
      const reader = await recipient.newPage()
      await reader.goto(`/gift#${/\/gift#(\S+)/.exec(mail.text!)![1]!}`)
      await expect(reader.getByRole('heading', { name: /gives you Nine P's/ })).toBeVisible()
      await expect(reader.getByText('Thank you for reading early.')).toBeVisible()
      await reader.getByRole('button', { name: 'Open the gift' }).click()
      await expect(reader).toHaveURL(/\/dashboard$/)
      await expect(reader.getByRole('button', { name: /Download/ }).first()).toBeVisible()

      await page.getByRole('button', { name: `Take back from ${mistyped}` }).click()
      await page.getByRole('button', { name: 'Take it back' }).click()
      await expect(page.getByText('Copy taken back')).toBeVisible()
      await expect(rowOf(mistyped)).toBeHidden()
      await expect(rowOf(opens)).toContainText('Opened')
      await expect(page.getByRole('button', { name: `Take back from ${opens}` })).toBeHidden()

      for (const [email, says] of [
        [opens, '· verified'],
        [mistyped, 'never signed in'],
      ] as const) {
        await page.goto(`/admin/users?q=${encodeURIComponent(email)}`)
        await page.getByRole('row').filter({ hasText: email }).getByRole('link').first().click()
        await page.waitForURL('**/admin/users/*')
        await expect(page.getByRole('main')).toContainText(says)
      }
    },
  )
})

async function enterAsBuyer(page: Page, shop: Shop) {
  const email = await makeUser(shop)
  const { name } = await buy(shop, await signIn(shop, { email, password }), 'digital')
  await enter(page, shop, email)
  await page.goto('/dashboard')
  return { email, name }
}

async function give(page: Page, name: string, to: string) {
  await page.getByRole('button', { name: `Give to someone: ${name}` }).click()
  const form = page.getByRole('dialog', { name: 'Give this copy to someone' })
  await form.getByLabel('Their email').fill(to)
  await form.getByLabel('Their name (optional)').fill('Priscilla')
  await form.getByLabel('Your name').fill('Aquila of Pontus')
  await form.getByLabel('Your message (optional)').fill('For your birthday.\nRead www.example.com too')
  await form.getByRole('button', { name: 'Give it' }).click()
  await expect(form.getByText('Links and email addresses cannot be sent here.')).toBeVisible()
  await expect(form.getByLabel('Your message (optional)')).toBeFocused()
  await form.getByLabel('Your message (optional)').fill('For your birthday.\nWith love')
  return form
}
