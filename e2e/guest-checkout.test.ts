// A stranger buys with an address and a card: no account, no password, no mail before the payment.
import { openDatabase } from '#platform/db/client.ts'
import { codeIn } from '#test/auth-client.ts'
import { part } from './part.ts'
import { clearStorage, goToPay, openDialog, purchasesOf, refuseStorage } from './guests.ts'
import { mailTo, signInByCode } from './mailing.ts'
import { payHere, sessionOf } from './paying.ts'
import { expect, refusals, test, visitHydrated } from './shop.ts'
import { ageProof, someone } from './users.ts'

test.use({ takesMoney: true, hasOwnBook: true })

test('a visitor buys by address, comes back to the checkout, and opens the order elsewhere @commit', async ({
  page,
  context,
  shop,
  stripe,
  chrome,
  complaints,
}) => {
  await part(
    page,
    'on a phone a visitor buys by address, downloads, and finds the link in the receipt',
    async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      const email = someone()
      const dialog = await openDialog(page)
      await dialog.getByRole('button', { name: 'Continue to payment' }).click()
      await expect(dialog.getByText('Please enter your email address.')).toBeVisible()
      await dialog.getByLabel('Email').fill('nobody@nowhere')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible()
      await expect(dialog.getByLabel('Email')).toHaveValue('nobody@nowhere')
      expect(refusals(complaints)).toHaveLength(1)
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByRole('button', { name: 'Continue to payment' }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/purchase/*')
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      expect(new URL(page.url()).hash + new URL(page.url()).search).toBe('')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: /^Download/ })
          .first()
          .click(),
      ])
      const stream = await file.createReadStream()
      const first = (await stream.toArray())[0] as Buffer
      expect(first.length).toBeGreaterThan(100)

      const { text = '', html = '' } = await shop.mailbox.to(email, /receipt/i)
      const [link = ''] = /http\S+\/purchase\/[\w-]+#[\w-]{43}/.exec(html + text) ?? []
      const elsewhere = await chrome.newContext()
      const other = await elsewhere.newPage()
      await other.goto(link)
      await expect(other.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      await expect(other.getByText(email)).toHaveCount(0)
      await other.goto('about:blank')
      await other.goto(link.replace(/#.*/, ''))
      await expect(other.getByRole('heading', { name: 'This browser cannot open it' })).toBeVisible()
      const receipt = link.replace('#', '/receipt#')
      for (const broken of [link.slice(0, -9), `${link.slice(0, -9)}123456789`, receipt.slice(0, -9)]) {
        await other.goto('about:blank')
        await other.goto(broken)
        await expect(other.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
      }
      // A code is offered where emails are sent.
      await expect(other.getByRole('link', { name: 'Email me a code' })).toHaveCount(0)
      await other.getByRole('link', { name: 'I cannot find my purchase' }).click()
      await expect(other).toHaveURL(/\/find-purchase$/)
      await elsewhere.close()
    },
  )

  await part(
    page,
    'the way back from the payment and a second tab lead to the same checkout, and a tab that is closed after it loses nothing',
    async () => {
      const email = someone()
      await goToPay(page, email)
      const first = page.url()
      await page.goBack()
      const dialog = page.getByRole('dialog')
      if (!(await dialog.isVisible())) await openDialog(page)
      await expect(dialog.getByLabel('Email')).toHaveValue(email)
      await page.keyboard.press('Enter')
      await page.waitForURL(first)
      const tab = await context.newPage()
      await goToPay(tab, email)
      expect(tab.url()).toBe(first)
      expect(await purchasesOf(shop, email)).toEqual(['pending'])
      await payHere(tab)
      await tab.waitForURL('**/purchase/*')
      // The first tab buys once more, and is led to what was paid already.
      expect(sessionOf(stripe, email).status).toBe('complete')
      await expect.poll(() => purchasesOf(shop, email)).toEqual(['completed'])
      // Who has it is asked before another is paid for.
      await expect(tab.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      const order = tab.url()
      const again = await openDialog(tab)
      await again.getByLabel('Email').fill(email)
      await tab.keyboard.press('Enter')
      await expect(again.getByRole('alert')).toContainText('You have this one already')
      expect(await purchasesOf(shop, email)).toEqual(['completed'])
      await expect(again.getByRole('link', { name: 'Open your purchase' })).toHaveAttribute(
        'href',
        new URL(order).pathname,
      )
      await again.getByRole('button', { name: 'Buy another' }).click()
      await tab.waitForURL('**/pay/cs_test_*')
      expect(await purchasesOf(shop, email)).toEqual(['completed', 'pending'])

      await clearStorage(page)
      const other = someone()
      await goToPay(page, other)
      await payHere(page, { isLost: true })
      await expect.poll(() => purchasesOf(shop, other)).toEqual(['completed'])
      await using database = openDatabase(shop.databaseUrl, { max: 1 })
      const { rows } = await database.pool.query<{ id: string }>(
        'select purchase_id as id from guest_checkouts where email = $1',
        [other],
      )
      await page.goto(`/purchase/${rows[0]!.id}`)
      await expect(page.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
    },
  )

  await part(
    page,
    'a link made after the payment opens the order elsewhere, and “Your purchases” here',
    async () => {
      await goToPay(page, someone())
      await payHere(page)
      const section = page.getByRole('region', { name: 'On your other devices' })
      await section.getByRole('button', { name: 'Make a link' }).click()
      const field = section.getByLabel('Link to your order')
      await expect(field).toBeFocused()
      const link = await field.inputValue()
      expect(link).toMatch(/\/purchase\/[\w-]+#[\w-]{43}$/)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await section.getByRole('button', { name: 'Copy the link' }).click()
      await expect(page.getByText('Link copied')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        section.getByRole('button', { name: 'Save as a file' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^order #\d+\.txt$/)

      await using device = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
      const there = visitHydrated(await device.newPage())
      await there.goto(link)
      await expect(there.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
      await expect(there.getByRole('region', { name: 'On your other devices' })).toHaveCount(0)
      await there.goto('/')
      await there.getByRole('link', { name: 'Your purchases' }).click()
      await expect(there).toHaveURL(/\/auth\?next=\/dashboard/)

      await page.goto('/')
      await page.getByRole('link', { name: 'Your purchases' }).click()
      await expect(page.getByRole('heading', { name: 'Your purchases' })).toBeVisible()
      await page.getByRole('main').getByRole('listitem').getByRole('link').click()
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    },
  )
})

test.describe('with a mail server', () => {
  test.use({ sendsMail: true })

  test('the link in the receipt opens the purchase in a browser that keeps nothing, too', async ({
    page,
    smtp,
  }) => {
    await refuseStorage(page)
    const email = someone()
    const dialog = await openDialog(page)
    await dialog.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    const { text = '' } = await mailTo(smtp, email, /receipt/i)
    const [link = ''] = /http\S+\/purchase\/[\w-]+#[\w-]{43}/.exec(text) ?? []
    await page.goto('/robots.txt', { waitUntil: 'load' })
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    await page.goto('/robots.txt', { waitUntil: 'load' })
    await page.goto(link.slice(0, -9))
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Email me a code' })).toBeVisible()
  })

  test('by email a new buyer has an account of the purchase, a corrected address and a receipt @commit', async ({
    page,
    shop,
    smtp,
    chrome,
    complaints,
  }) => {
    await part(
      page,
      'a new buyer has an account of the purchase by a mailed code, and proves to own it by another',
      async () => {
        const email = someone()
        await goToPay(page, email)
        await payHere(page)
        await expect(page.getByRole('region', { name: 'On your other devices' })).toBeVisible()
        await mailTo(smtp, email, /receipt/i)
        const first = await signInByCode(page, smtp, email)
        await page.waitForURL('**/dashboard')
        await expect(page.getByRole('listitem').filter({ hasText: 'completed' })).toHaveCount(1)
        await ageProof(shop, email)
        await page.goto('/account/data')
        const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
        await dialog.getByRole('button', { name: 'Email me a code' }).click()
        await expect(dialog.getByText(`A code is on its way to ${email}.`)).toBeVisible()
        const another = new RegExp(`^(?!${first})\\d{6} is your code$`)
        const code = codeIn(await mailTo(smtp, email, another))
        await dialog.getByLabel('Code from the email').fill(code)
        await page.keyboard.press('Enter')
        await expect(page.getByRole('heading', { name: 'Purchases', exact: true })).toBeVisible()
        expect(refusals(complaints)).toHaveLength(1)
      },
    )

    await part(
      page,
      'a likely typo is asked about before the payment, a real one corrected after it, and the receipt printed by its link',
      async () => {
        const right = someone()
        const dialog = await openDialog(page)
        await dialog.getByLabel('Email').fill('ruth@gmial.com')
        await page.keyboard.press('Enter')
        await expect(dialog.getByText('Did you mean ruth@gmail.com?')).toBeVisible()
        await dialog.getByRole('button', { name: 'No, it is right' }).click()
        await expect(dialog.getByLabel('Email')).toHaveValue('ruth@gmial.com')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/pay/cs_test_*')
        await payHere(page)
        await expect(page.getByText('The receipt goes to ruth@gmial.com.')).toBeVisible()
        await page.getByRole('button', { name: 'Correct the email address' }).click()
        const question = page.getByRole('dialog', { name: 'Correct the email address' })
        await question.getByLabel('Email').fill('nobody@nowhere')
        await page.keyboard.press('Enter')
        await expect(question.getByText('Please enter a valid email address.')).toBeVisible()
        expect(refusals(complaints)).toHaveLength(1)
        await question.getByLabel('Email').fill(right)
        await page.keyboard.press('Enter')
        await expect(page.getByText(`The receipt goes to ${right}.`)).toBeVisible()
        await expect(page.getByRole('button', { name: 'Correct the email address' })).toHaveCount(0)
        const { text = '' } = await mailTo(smtp, right, /receipt/i)
        const [link = ''] = /http\S+\/receipt#[\w-]{43}/.exec(text) ?? []
        await using context = await chrome.newContext({ baseURL: shop.url })
        const elsewhere = await context.newPage()
        await elsewhere.goto(link)
        await expect(elsewhere.getByRole('heading', { name: 'Receipt', exact: true })).toBeVisible()
        await expect(elsewhere.getByRole('button', { name: 'Print' })).toBeVisible()
        await elsewhere.getByRole('link', { name: 'Back to the order' }).click()
        await expect(elsewhere.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      },
    )
  })
})
