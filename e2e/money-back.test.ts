// Money that goes back: asked for by the user, given by the author, taken by a bank; and payments that do not fit.
import type { Locator, Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { part } from './part.ts'
import { payWrong } from './needs.ts'
import { beginCheckout, payHere, refundsOf, sessionOf } from './paying.ts'
import { admin, expect, refusals, type Shop, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'

const title = "Nine P's that Change Everything"

const row = (page: Page) => page.getByRole('listitem').filter({ hasText: title })

const bought = (page: Page) => page.getByRole('listitem').filter({ hasText: title })

const waiting = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email })

test.describe('through Stripe', () => {
  test.use({ takesMoney: true })

  test('money goes back: withdrawn by the user, given by the author, and taken by a bank @commit', async ({
    page,
    shop,
    stripe,
    complaints,
  }) => {
    await part(
      page,
      'a user withdraws while the law may hold: the money goes back, and the access with it; a second request waits',
      async () => {
        const email = await makeUser(shop)
        await buyHere(page, shop, email)
        await page.getByRole('button', { name: `Withdraw from contract here: ${title}` }).click()
        const question = page.getByRole('dialog', { name: 'Withdraw from the contract?' })
        await expect(question).toContainText(/You withdraw from your contract for .*, order #\d+\./)
        await question.getByLabel(/What was missing/).fill('I have it twice now.')
        await question.getByRole('button', { name: 'Confirm withdrawal' }).click()
        await expect(page.getByText('Withdrawal Received', { exact: true })).toBeVisible()
        await expect(question).toHaveCount(0)
        await expectStatus(page, 'refunded')
        await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
        await expect(page.getByRole('button', { name: /^(Refund|Withdraw)/ })).toHaveCount(0)
        expect(refundsOf(stripe, email)).toEqual([1499])

        // The second time, only the promise is left, which was used before.
        await beginCheckout(page)
        await payHere(page)
        await page.waitForURL('**/dashboard*')
        await using database = openDatabase(shop.databaseUrl, { max: 1 })
        await database.pool.query(
          `update purchases set country = 'US' where user_id = (select id from auth.users where email = $1)`,
          [email],
        )
        await page.reload()
        await page.getByRole('button', { name: `Refund ${title}` }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Refund my purchase' }).click()
        const asked = row(page).first()
        await expect(asked.getByText('Refund Requested', { exact: true })).toBeVisible()
        await expect(asked).toContainText('so the author looks at it first')
        await expect(asked).toContainText(
          'The files of this order cannot be downloaded until the author has decided.',
        )
        await expect(page.getByRole('button', { name: /^(Download|PDF)/ })).toHaveCount(0)
        await asked.getByRole('button', { name: 'Take the request back' }).click()
        await expect(asked.getByRole('button', { name: /^Download/ }).first()).toBeVisible()
        await expect(asked.getByText('Refund Requested', { exact: true })).toHaveCount(0)

        // After the law's right the author is asked.
        await database.pool.query(
          `update purchases set country = null, refund_days = 0, created_at = now() - interval '20 days'
            where status = 'completed' and user_id = (select id from auth.users where email = $1)`,
          [email],
        )
        await page.reload()
        await expect(page.getByText(/^The right of withdrawal ended on [^.]+\.$/)).toBeVisible()
        await page.getByRole('button', { name: `Ask for a refund: ${title}` }).click()
        const asking = page.getByRole('dialog', { name: 'Ask for a refund' })
        await expect(asking).toContainText(
          'so the author decides. The files of this order cannot be downloaded until',
        )
        await asking.getByRole('button', { name: 'Ask for a refund' }).click()
        await expect(row(page).getByText('Refund Requested', { exact: true })).toBeVisible()
      },
    )

    await part(page, 'the author gives a part back, and the user keeps the book; then the rest', async () => {
      const email = await makeUser(shop)
      await buyHere(page, shop, email)
      await openInAdmin(page, shop, email)
      await refund(
        page,
        '5',
        'This refunds a part of the payment. The reader keeps access to the book. The shop writes an email about it to the reader.',
      )
      // The page looks again by itself.
      await expect(page.getByText('partially refunded', { exact: true })).toBeVisible()
      await expect(page.getByText('less $5.00 given back')).toBeVisible()
      const place = page.url()

      await enter(page, shop, email)
      await page.goto('/dashboard')
      await expect(row(page)).toContainText('partially refunded')
      const saved = page.waitForEvent('download')
      await row(page)
        .getByRole('button', { name: /^Download/ })
        .first()
        .click()
      await saved

      await enterAdmin(page, shop, place)
      await using database = openDatabase(shop.databaseUrl, { max: 1 })
      await age(database, 'auth.sessions.proved_at', '11 minutes')
      await refund(page, '9.99', 'This refunds all that is left of the payment, and access to the book ends.')
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await proof.getByLabel('Your password').fill(admin.password)
      const refunded = page.waitForResponse((response) => response.status() === 202)
      await page.keyboard.press('Enter')
      await refunded
      await expectStatus(page, 'refunded', page)
      expect(refusals(complaints)).toHaveLength(1)
      await expect(page.getByRole('heading', { name: 'Refund', exact: true })).toHaveCount(0)
      expect(refundsOf(stripe, email)).toEqual([500, 999])

      await enter(page, shop, email)
      await page.goto('/dashboard')
      await expect(row(page).getByText('refunded', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
    })

    await part(
      page,
      'a dispute ends access and waits for the author; one that is won gives it back',
      async () => {
        const email = await makeUser(shop)
        await buyHere(page, shop, email)
        const { id } = sessionOf(stripe, email)
        await stripe.sendEvent('charge.dispute.created', stripe.dispute(id))
        await expectStatus(page, 'disputed')
        await expect(page.getByRole('button', { name: /^(Download|Refund)/ })).toHaveCount(0)
        await openInAdmin(page, shop, email)
        await expectStatus(page, 'disputed', page)
        await expect(page.getByText('Taken by a dispute: $14.99', { exact: true })).toBeVisible()
        const dispute = page
          .locator('section')
          .filter({ has: page.getByRole('heading', { name: 'Dispute' }) })
        await expect(dispute).toContainText('answer needed')
        await expect(dispute).toContainText(/Opened.*Answer by.*Aug 14, 2024/)

        await page.goto('/admin/payments')
        const need = page.getByRole('listitem').filter({ hasText: email })
        await expect(need).toContainText('Respond by: Aug 14, 2024')
        await expect(need.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
        await need.getByRole('link', { name: 'See the evidence' }).click()
        await expect(page.getByRole('main')).toContainText(email)
        await expect(page.getByRole('main')).toContainText('needs response')
        const payment = page
          .locator('section')
          .filter({ has: page.getByRole('heading', { name: 'Purchase and payment' }) })
        await expect(payment).toContainText(/Taken by the dispute\s*\$14\.99/)
        await expect(payment).not.toContainText('Refunded')
        // The words are those of the admin area, which the buyer of a book in another language never saw.
        await expect(page.getByRole('heading', { name: 'Refund policy', exact: true })).toBeVisible()

        await stripe.sendEvent('charge.dispute.closed', stripe.dispute(id, 'won'))
        await enter(page, shop, email)
        await page.goto('/dashboard')
        await expectStatus(page, 'completed')
        await expect(
          row(page)
            .getByRole('button', { name: /^Download/ })
            .first(),
        ).toBeVisible()
        await openInAdmin(page, shop, email)
        await expect(dispute).toContainText('The bank decided for you: the money is back.')
      },
    )
  })

  test('a payment that does not fit is accepted, or dismissed with a note', async ({
    page,
    shop,
    stripe,
  }) => {
    await part(
      page,
      'a held payment is accepted at what was really paid, and the buyer has the book',
      async () => {
        const email = await payWrong(page, shop, stripe, { amount_subtotal: 999, amount_total: 999 })
        await expect(bought(page)).toContainText('pending')
        await expect(bought(page)).toContainText('Your payment arrived but does not match this purchase.')
        await expect(page.getByRole('button', { name: 'Continue payment' })).toHaveCount(0)

        await enterAdmin(page, shop)
        await expect(page.getByRole('main')).toContainText('A payment does not match its order')
        await page.getByRole('link', { name: /^Needs attention/ }).click()
        await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
        const need = waiting(page, email)
        await expect(need).toContainText('The payment is for $9.99, the purchase for $14.99.')
        await need.getByRole('button', { name: 'Check again' }).click()
        await expect(page.getByText('Nothing has changed')).toBeVisible()

        await need.getByRole('button', { name: 'Accept as paid' }).click()
        const question = page.getByRole('dialog', { name: 'Accept $9.99?' })
        await expect(question).toContainText(`${email} gets the book and the receipt.`)
        await question.getByRole('button', { name: 'Accept as paid' }).click()
        await expect(page.getByText('Accepted as paid')).toBeVisible()
        await expect(need).toHaveCount(0)

        expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('$9.99')
        await enter(page, shop, email)
        await page.goto('/dashboard')
        await expect(bought(page)).toContainText('completed')
        await expect(bought(page)).toContainText('$9.99')
        await expect(
          page.getByRole('button', { name: new RegExp(`^Download EPUB .*: ${title}$`) }),
        ).toBeVisible()
      },
    )

    await part(
      page,
      'what was settled elsewhere is dismissed with a note, and the note is kept',
      async () => {
        const email = await payWrong(page, shop, stripe, { amount_subtotal: 1999, amount_total: 1999 })
        await enterAdmin(page, shop, '/admin/payments')
        const need = waiting(page, email)
        await need.getByRole('button', { name: 'Dismiss' }).click()
        const question = page.getByRole('dialog', { name: 'Dismiss this?' })
        await question.getByRole('button', { name: 'Dismiss' }).click()
        await expect(question.getByLabel('What you did about it')).toBeFocused()
        await question.getByLabel('What you did about it').fill('Sent the difference by hand')
        await question.getByRole('button', { name: 'Dismiss' }).click()
        await expect(page.getByText('Dismissed', { exact: true })).toBeVisible()
        await expect(need).toHaveCount(0)

        await page.goto('/admin/audit')
        await page.getByText('Details').first().click()
        await expect(page.getByRole('main')).toContainText('Sent the difference by hand')
        await enter(page, shop, email)
        await page.goto('/dashboard')
        await expect(bought(page)).toContainText('This purchase was closed.')

        await enterAdmin(page, shop, '/admin/purchases')
        await page.getByRole('row').filter({ hasText: email }).getByRole('link').first().click()
        await expect(page.getByRole('main')).toContainText('A payment of $19.99 was held')
        await page.getByRole('button', { name: 'Accept after all' }).click()
        const accepting = page.getByRole('dialog', { name: 'Accept $19.99 after all?' })
        await accepting.getByRole('button', { name: 'Accept as paid' }).click()
        await expect(page.getByText('Accepted as paid')).toBeVisible()
        await expect(page.getByRole('button', { name: 'Accept after all' })).toHaveCount(0)
      },
    )
  })
})

test('without Stripe a refund is recorded, and the author is told to send the money; an amount of two readings is refused @commit', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'digital')
  await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await expect(page.getByText('you send the money to the reader yourself')).toBeVisible()
  const amount = page.getByLabel('Amount ($)')
  await amount.fill('15')
  await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
  await expect(amount).toHaveAccessibleDescription('14.99 at most.')
  for (const [typed, says] of [
    ['1,200', 'Do you mean 1200.00 or 1.20? Please type one of the two.'],
    ['1,50 €', 'This amount is in USD, not in “€”.'],
    ['-1.50', 'An amount cannot be less than 0.'],
  ] as const) {
    await amount.fill(typed)
    await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
    await expect(amount).toHaveAccessibleDescription(says)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await amount.fill('')
  await amount.pressSequentially('1,5')
  await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
  await page.getByRole('dialog', { name: 'Record a refund of $1.50?' }).getByText('Cancel').click()
  await amount.fill('10')
  await page.getByRole('button', { name: 'Record a refund', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Record a refund of $10.00?' })
  await expect(question).toContainText('The shop moves no money')
  await question.getByRole('button', { name: 'Record refund' }).click()
  await expect(page.getByText('Recorded. Now send $10.00 to the reader yourself.')).toBeVisible()
  await expect(page.getByText('on its way')).toHaveCount(0)
  const mail = await shop.mailbox.to(email, /Your refund/)
  expect(mail.text).toContain('The author sends it to you directly.')
  expect(mail.text).not.toContain('on its way')
})

async function buyHere(page: Page, shop: Shop, email: string) {
  await enter(page, shop, email)
  await beginCheckout(page)
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(row(page)).toContainText('completed')
}

/** On the dashboard, or where the author looks at it; webhooks come later than the page. */
async function expectStatus(page: Page, status: string, place: Page | Locator = row(page)) {
  await expect(async () => {
    await page.reload()
    await expect(place.getByText(status, { exact: true })).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

async function openInAdmin(page: Page, shop: Shop, email: string) {
  await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page.waitForURL('**/admin/purchases/*')
}

async function refund(page: Page, amount: string, consequence: string) {
  await page.getByLabel('Amount ($)').fill(amount)
  await page.getByLabel('Note (optional)').fill('A kindness')
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const question = page.getByRole('dialog').filter({ hasText: consequence })
  await question.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(question).toHaveCount(0)
}
