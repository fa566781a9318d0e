// A stranger buys with an address and a card: no account, no password, no mail before the payment.
import { readFile } from 'node:fs/promises'
import { openDatabase } from '#platform/db/client.ts'
import { codeIn } from '#test/auth-client.ts'
import { part } from './part.ts'
import { goToPay, openDialog, purchasesOf, refuseStorage } from './guests.ts'
import { mailTo, signInByCode } from './mailing.ts'
import { payHere, sessionOf } from './paying.ts'
import { clearStorage, leaveScripts } from './leaving.ts'
import { expect, refusals, type Shop, test, visitHydrated } from './shop.ts'
import { ageProof, someone } from './users.ts'

test.use({ takesMoney: true, hasOwnBook: true })

async function orderOf({ databaseUrl }: Shop, email: string, status: string): Promise<string> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from purchases join guest_checkouts g on g.purchase_id = id where g.email = $1 and status = $2',
    [email, status],
  )
  return rows[0]!.id
}

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
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByText('Payment not finished')).toBeVisible()
      await page
        .locator('#book-sales')
        .getByRole('button', { name: /digital/i })
        .click()
      await dialog.getByRole('button', { name: 'Continue to payment' }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/purchase/*')
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
      // A notice of the page before stands as soon as this one is alive, and would soon be gone.
      await expect(page.locator('#toasts[data-alive]')).toBeAttached()
      expect(await page.getByText('Payment not finished').count()).toBe(0)
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
      await again.getByLabel('Email').fill(someone())
      await tab.keyboard.press('Enter')
      await expect(again.getByRole('alert')).toContainText(`with the address ${email} already`)
      await again.getByLabel('Email').fill(email)
      await tab.keyboard.press('Enter')
      await again.getByRole('button', { name: 'Buy another' }).click()
      await tab.waitForURL('**/pay/cs_test_*')
      expect(await purchasesOf(shop, email)).toEqual(['completed', 'pending'])
      // Its page leads on to the same payment.
      const unpaid = tab.url()
      await tab.goto(`/purchase/${await orderOf(shop, email, 'pending')}`)
      await expect(tab.getByRole('heading', { name: 'Waiting for your payment' })).toBeVisible()
      await tab.getByRole('link', { name: 'Continue payment' }).click()
      await tab
        .locator('#book-sales')
        .getByRole('button', { name: /digital/i })
        .click()
      await expect(tab.getByRole('dialog').getByLabel('Email')).toHaveValue(email)
      await tab.keyboard.press('Enter')
      await tab.waitForURL(unpaid)
      await tab.getByRole('button', { name: 'Let it expire' }).click()
      await expect(tab.getByRole('heading', { name: 'This checkout has expired' })).toBeVisible()
      // Its page would open nothing any more.
      await tab.goto('/purchases')
      const ended = tab.getByRole('listitem').filter({ hasText: 'nothing was charged' })
      await expect(ended).toBeVisible()
      await expect(ended.getByRole('link')).toHaveCount(0)

      await clearStorage(page)
      const other = someone()
      await goToPay(page, other)
      await payHere(page, { isLost: true })
      await expect.poll(() => purchasesOf(shop, other)).toEqual(['completed'])
      // The browser has not learned of the payment: another address is no second name for the same order.
      const second = someone()
      const unaware = await openDialog(page)
      await unaware.getByLabel('Email').fill(second)
      await page.keyboard.press('Enter')
      await expect(unaware.getByRole('alert')).toContainText(`with the address ${other} already`)
      expect(await purchasesOf(shop, second)).toEqual([])
      await unaware.getByRole('button', { name: 'Buy another' }).click()
      await page.waitForURL('**/pay/cs_test_*')
      expect(sessionOf(stripe, second).status).toBe('open')
      expect(await purchasesOf(shop, other)).toEqual(['completed'])
      await page.goto(`/purchase/${await orderOf(shop, other, 'completed')}`)
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
      const saved = await readFile(await file.path(), 'utf8')
      expect(saved).toMatch(/^.+\nOrder #\d+\n.+\nIt works until .+\.\n$/)
      expect(saved).toContain(link)

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
    await leaveScripts(page)
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    await leaveScripts(page)
    await page.goto(link.slice(0, -9))
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Email me a code' })).toBeVisible()
  })

  test('two days after the payment, the open tab and a reload say what still opens the order', async ({
    page,
    shop,
    smtp,
    complaints,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const email = someone()
    await goToPay(page, email)
    await payHere(page)
    await mailTo(smtp, email, /receipt/i)
    const download = page.getByRole('button', { name: /^Download/ }).first()
    await expect(download).toBeVisible()
    const ofReceipt = page.getByText(/^The link in your receipt opens this order until .+ [AP]M\.$/)
    await expect(async () => {
      await page.reload()
      await expect(ofReceipt).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    await database.pool.query(
      `update purchase_access set expires_at = now() - interval '1 day' where kind = 'browser'
         and purchase_id in (select purchase_id from guest_checkouts where email = $1)`,
      [email],
    )
    await download.click()
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload()
      await expect(page.getByRole('heading', { name: 'Your purchase', exact: true })).toBeVisible()
      await expect(download).toHaveCount(0)
      await expect(page.getByText(/link in your receipt opens yours until .+ [AP]M\. A code/)).toBeVisible()
      await expect(page.getByRole('button', { name: /^Withdraw|^Refund/ })).toBeVisible()
    }
    expect(refusals(complaints)).toHaveLength(1)
    await page.getByRole('link', { name: 'Email me a code' }).click()
    // Somebody else may sit at this browser by then.
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('')
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
        const order = page.url()
        const first = await signInByCode(page, smtp, email)
        await page.waitForURL('**/dashboard')
        await expect(page.getByRole('listitem').filter({ hasText: 'completed' })).toHaveCount(1)
        await page.goto(order)
        await page.getByRole('main').getByRole('link', { name: 'Open your dashboard' }).click()
        await page.waitForURL('**/dashboard')
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
        await expect(page.getByText('Email address for the receipt: ruth@gmial.com')).toBeVisible()
        await page.getByRole('button', { name: 'Correct the email address' }).click()
        const question = page.getByRole('dialog', { name: 'Correct the email address' })
        await question.getByLabel('Email').fill('nobody@nowhere')
        await page.keyboard.press('Enter')
        await expect(question.getByText('Please enter a valid email address.')).toBeVisible()
        expect(refusals(complaints)).toHaveLength(1)
        await question.getByLabel('Email').fill(right)
        await page.keyboard.press('Enter')
        await expect(page.getByText(`Email address for the receipt: ${right}`)).toBeVisible()
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
