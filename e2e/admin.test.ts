// The author in the admin area: its views, the first screen in the morning, accounts, and the help.
import { openSteps } from './admin-screens.ts'
import { part } from './part.ts'
import { beginCheckout, payHere } from './paying.ts'
import { expect, refusals, type Shop, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { buy, enter, enterAdmin, makeUser, password, post, type Session, signIn, someone } from './users.ts'

const nobody = '00000000-0000-7000-8000-000000000000'

const home = {
  Name: 'Ruth Moab',
  Street: '1 Threshing Floor',
  City: 'Bethlehem',
  'Postal code': '18015',
  Phone: '555 0100',
}

test('the author finds the way through the admin area, and back from addresses that lead to nothing @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'the header leads to each view, back, and out; a second factor is asked for until "Not now"',
    async () => {
      await enterAdmin(page, shop)
      await openSteps(page)
      const notice = page.getByRole('listitem').filter({ hasText: 'add a second factor' })
      await notice.getByRole('button', { name: 'Not now' }).click()
      await expect(notice).toBeHidden()
      await page.reload()
      await openSteps(page)
      await expect(page.getByText('Let the shop send email')).toBeVisible()
      await expect(notice).toHaveCount(0)
      await page.getByRole('link', { name: 'Upload Ebook' }).click()
      await expect(page).toHaveURL('/admin/upload')
      await page.getByRole('link', { name: 'View Dashboard' }).click()
      const views = page.getByRole('navigation', { name: 'Views' })
      for (const name of ['Orders', 'Shipping', 'Sales', 'Products', 'Readers', 'Messages', 'Log']) {
        await views.getByRole('link', { name, exact: name === 'Log' }).click()
        await expect(views.getByRole('link', { name, exact: name === 'Log' })).toHaveAttribute(
          'aria-current',
          'page',
        )
      }
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await expect(page.getByRole('link', { name: 'Users', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await views.getByRole('link', { name: 'Messages' }).click()
      await expect(page.getByRole('heading', { name: /^Messages/ })).toBeVisible()
      await views.getByRole('link', { name: 'Log', exact: true }).click()
      await expect(page).toHaveURL('/admin/audit')
      await page.goBack()
      await expect(page).toHaveURL('/admin/messages')
      await page.reload()
      await expect(page.getByRole('heading', { name: /^Messages/ })).toBeVisible()
      await page.getByRole('link', { name: 'Back to Dashboard' }).click()
      await expect(page).toHaveURL('/dashboard')
      await page.goBack()
      await expect(page.getByRole('heading', { name: /^Messages/ })).toBeVisible()
      await page.goto('/admin/security?q=nobody')
      await expect(page).toHaveURL('/admin/audit/sign-ins?q=nobody')
      await expect(page.getByText('An entry is kept for 90 days.')).toBeVisible()
      await page.getByRole('link', { name: 'your account' }).click()
      await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible()
      await page.getByRole('link', { name: 'Admin', exact: true }).click()
      await expect(page).toHaveURL('/admin')
      await page.goto('/admin/audit/sign-ins')
      await page.getByRole('link', { name: 'Changes and requests' }).click()
      await expect(page.getByText('An entry is kept as long as the shop')).toBeVisible()
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page).toHaveURL('/')
    },
  )

  await part(
    page,
    'an unknown filter is reported, and can be cleared; an address that leads to nothing leads back to its list',
    async () => {
      await enterAdmin(page, shop)
      for (const view of ['purchases?status=nonsense', 'users?after=nonsense', 'sales?from=nonsense']) {
        await page.goto(`/admin/${view}`)
        await expect(
          page.getByText('This address asks for something that the shop does not know'),
        ).toBeVisible()
        await page.getByRole('link', { name: 'Show everything' }).click()
        await expect(page).toHaveURL(`${shop.url}/admin/${view.split('?')[0]}`)
        await expect(page.getByText('does not know')).toHaveCount(0)
      }
      refusals(complaints)

      for (const [list, words, all] of [
        ['users', 'There is no such reader', 'All readers'],
        ['products', 'There is no such product', 'All products'],
        ['purchases', 'There is no such order', 'All orders'],
      ] as const) {
        for (const id of [nobody, 'nonsense']) {
          await page.goto(`/admin/${list}/${id}`)
          await expect(page.getByRole('heading', { name: words })).toBeVisible()
          await expect(page.getByText('could not be loaded')).toHaveCount(0)
        }
        await page.getByRole('link', { name: all }).click()
        await expect(page).toHaveURL(`${shop.url}/admin/${list}`)
        await expect(page.getByRole('heading', { name: words })).toHaveCount(0)
      }
      await page.goto('/admin/purchases/nonsense/evidence')
      await expect(page.getByRole('heading', { name: 'There is no such order' })).toBeVisible()
      refusals(complaints)
    },
  )

  await part(page, 'a screen leads to its page of the help, which is read on and searched', async () => {
    await enterAdmin(page, shop, '/admin/shipping')
    const heading = (name: string) => page.getByRole('heading', { level: 2, name })
    await page.getByRole('main').getByRole('link', { name: 'Shipping', exact: true }).last().click()
    await expect(page).toHaveURL('/admin/help/shipping')
    await expect(heading('Shipping')).toBeVisible()
    await page.getByRole('link', { name: 'Next: Discounts and free copies' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Shipping', exact: true }).click()
    await expect(page).toHaveURL('/admin/shipping')

    await page.goto('/admin/help')
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('mistyped address')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: 'Orders and refunds' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Backups', exact: true })).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('zzz')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Nothing found')).toBeVisible()
  })
})

test.describe('in the morning', () => {
  test.use({ shopName: 'the shop in the morning', takesMoney: true })

  test('two parcels are shipped, a message answered and a refund given from the first screen, and nothing waits', async ({
    page,
    shop,
  }) => {
    test.setTimeout(90_000)
    const readers: Session[] = []
    for (let at = 0; at < 2; at += 1) {
      readers.push(await enter(page, shop, await makeUser(shop)))
      await beginCheckout(page, undefined, /paperback/i)
      for (const [label, value] of Object.entries(home))
        await page.getByLabel(label, { exact: true }).fill(value)
      await payHere(page)
      await page.waitForURL('**/dashboard*', { timeout: 15_000 })
    }
    const message = {
      name: 'Lydia',
      email: 'lydia@example.com',
      subject: 'Purple',
      message: 'Come and stay.',
    }
    await post(shop, '/api/contact', message)

    await enterAdmin(page, shop)
    const today = page.locator('section', { has: page.getByRole('heading', { name: 'Today' }) })
    const views = page.getByRole('navigation', { name: 'Views' })
    await expect(today).toContainText('2 sold, $49.98')
    await expect(today.getByRole('button', { name: /^Ship parcel/ })).toHaveCount(2)
    await expect(views.getByRole('link', { name: /^Shipping/ })).toHaveText('Shipping2')
    await expect(views.getByRole('link', { name: /^Messages/ })).toHaveText('Messages1')

    for (const left of [1, 0]) {
      await today
        .getByRole('button', { name: /^Ship parcel/ })
        .first()
        .click()
      const question = page.getByRole('dialog', { name: 'Ship 1 parcel?' })
      await question.getByRole('button', { name: 'Mark as shipped' }).click()
      await expect(today.getByRole('button', { name: /^Ship parcel/ })).toHaveCount(left)
    }
    await expect(views.getByRole('link', { name: /^Shipping/ })).toHaveText('Shipping')

    await today.getByRole('link', { name: 'Reply' }).click()
    await page.getByLabel('Reply to lydia@example.com').fill('We gladly come.')
    await page.getByRole('button', { name: 'Save reply' }).click()
    await expect(page.getByText('We gladly come.')).toBeVisible()
    await expect(views.getByRole('link', { name: /^Messages/ })).toHaveText('Messages')

    await askForRefund(shop, readers[0]!)
    await views.getByRole('link', { name: 'Today' }).click()
    await expect(today).toContainText(/Withdrew from #\d+|A buyer wants a refund/)
    await expect(views.getByRole('link', { name: /^Today/ })).toHaveText('Today1 needs attention')
    await expect(today.getByRole('link', { name: 'Needs attention: 1' })).toBeVisible()
    await today.getByRole('button', { name: 'Refund the buyer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).click()
    await expect(today.getByRole('button', { name: 'Refund the buyer' })).toHaveCount(0)
    await expect(views.getByRole('link', { name: /^Today/ })).toHaveText('Today')
  })
})

test('accounts are made, found, sorted and changed, and what fails is shown in the exact words @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'an account is made with a generated password, signs in, and is found and changed; a taken address is refused',
    async () => {
      await enterAdmin(page, shop, '/admin/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      const email = someone()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Display name (optional)').fill('Priscilla of Pontus')
      await page.getByRole('button', { name: 'Generate' }).click()
      const made = await page.getByLabel('Password', { exact: true }).inputValue()
      expect(made).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/)
      await page.getByRole('button', { name: 'Create User' }).click()
      await expect(page.getByText('User Created')).toBeVisible()
      expect((await signIn(shop, { email, password: made })).access_token).toBeTruthy()

      await page.getByPlaceholder('Search users...').fill('priscilla')
      await expect(page.getByText(/^1 of \d+ users$/)).toBeVisible()
      const row = page.getByRole('row', { name: /Priscilla of Pontus/ })
      await expect(row).toContainText('User')
      await expect(row).toContainText('Never')
      await page.getByRole('link', { name: 'Priscilla of Pontus' }).click()
      await page.getByRole('button', { name: 'Remove the role user' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByText('Role Removed')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Give the role user' })).toBeVisible()
      await page.getByRole('button', { name: 'Disable the account' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await expect(page.getByRole('button', { name: 'Enable the account' })).toBeVisible()
      await page.goto('/admin/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Create User' }).click()
      await expect(page.getByText('An account with this email address already exists.')).toBeVisible()
      await expect(page.getByLabel('Email')).toHaveValue(email)
      expect(refusals(complaints)).toHaveLength(1)
    },
  )

  await part(
    page,
    'a person’s page holds what they bought and leads to it, whose receipt is not sent twice; both are found by typing',
    async () => {
      const email = await makeUser(shop)
      await buy(shop, await signIn(shop, { email, password }), 'hardcover')
      await enterAdmin(page, shop, `/admin/users?q=${email}`)
      await page.getByRole('link', { name: 'Unknown User' }).click()
      const bought = page.getByRole('table', { name: 'Orders' }).getByRole('row')
      await expect(bought).toHaveCount(2)
      await expect(bought.last()).toContainText(/Hardcover.*\$39\.99.*completed/i)
      await bought
        .last()
        .getByRole('link', { name: /^#\d+$/ })
        .click()
      await page.getByRole('link', { name: email }).click()
      await expect(page.getByRole('heading', { name: email })).toBeVisible()
      await enterAdmin(page, shop, '/admin/purchases')
      await page.getByLabel('From').focus()
      await page.keyboard.type('01022026')
      await expect(page).toHaveURL(/from=2026-01-02$/)
      await page.getByRole('searchbox', { name: 'Search orders' }).fill(email)
      await expect(page).toHaveURL(/q=/)
      await expect(page.getByRole('row')).toHaveCount(2)
      await page.getByLabel('Status').selectOption('refunded')
      await expect(page.getByText('No orders found')).toBeVisible()
      await page.getByRole('link', { name: 'Clear filters' }).click()
      await expect(page.getByText(/^[\d,]+ orders? · \$[\d,.]+ earned$/)).toBeVisible()
      await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue('')
      await expect(page.getByRole('searchbox', { name: 'Search orders' })).toBeFocused()
      await page.goBack()
      await expect(page.getByText('No orders found')).toBeVisible()
      await page.getByLabel('Status').selectOption('')
      await expect(page.getByText('1 order · $39.99 earned')).toBeVisible()
      await page
        .getByRole('row', { name: /hardcover/ })
        .getByRole('link')
        .first()
        .click()
      await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText(
        'not sent: email was not set up',
      )
      await page.getByRole('button', { name: 'Send the receipt' }).click()
      await expect(page.getByText('Not sent again')).toBeVisible()
    },
  )

  await part(
    page,
    'names are sorted from A to Z first; who has neither name nor address, and nobody at all, is said plainly',
    async () => {
      await enterAdmin(page, shop, '/admin/users')
      const title = (name: string) => page.getByRole('columnheader', { name })
      await expect(title('Joined')).toHaveAttribute('aria-sort', 'descending')
      await page.getByRole('link', { name: 'User', exact: true }).click()
      await expect(title('User')).toHaveAttribute('aria-sort', 'ascending')
      await page.getByRole('link', { name: 'User', exact: true }).click()
      await expect(title('User')).toHaveAttribute('aria-sort', 'descending')
      await page.getByPlaceholder('Search users...').fill('nobody has this name')
      await expect(page.getByText('No users found')).toBeVisible()
      await expect(page.getByText('Try adjusting your search terms')).toBeVisible()
      await page.route('**/api/admin/users*', async (route) => {
        const list = (await (await route.fetch()).json()) as { items: object[] }
        await route.fulfill({
          json: { ...list, items: [{ ...list.items[0], email: null, display_name: null }] },
        })
      })
      await enterAdmin(page, shop, '/admin/users')
      const row = page.getByRole('row').last()
      await expect(row.getByText('Unknown User', { exact: true })).toBeVisible()
      await expect(row.getByText('No email', { exact: true })).toBeVisible()
      await expect(page.getByRole('columnheader')).toHaveText([
        'User',
        'Role',
        'Purchases',
        'Total Spent',
        'Last Purchase',
        'Joined',
      ])

      await page.unroute('**/api/admin/users*')
      await page.route('**/api/admin/users*', (route) =>
        route.fulfill({ json: { items: [], next: null, total: 0, shown: { count: 0, isMore: false } } }),
      )
      await page.reload()
      await expect(page.getByText('0 of 0 users', { exact: true })).toBeVisible()
      await expect(page.getByText('No users found', { exact: true })).toBeVisible()
      await expect(page.getByText('No users have registered yet', { exact: true })).toBeVisible()
      await page.getByPlaceholder('Search users...', { exact: true }).fill('nobody')
      await expect(page.getByText('Try adjusting your search terms', { exact: true })).toBeVisible()
    },
  )

  await part(page, 'in the admin area, what fails with accounts is shown in the exact words', async () => {
    await page.route('**/api/admin/users*', (route) => route.abort())
    await enterAdmin(page, shop, '/admin/users')
    await expectToast(page, 'Error', 'Failed to fetch user data')
    await page.unroute('**/api/admin/users*')

    const held = Promise.withResolvers<void>()
    await page.route('**/functions/v1/admin-create-user', async (route) => {
      await held.promise
      await route.abort()
    })
    await page.getByRole('button', { name: 'Add User' }).click()
    await page.getByLabel('Email').fill(someone())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create User' }).click()
    await expect(page.getByRole('button', { name: 'Creating User...' })).toBeDisabled()
    held.resolve()
    await expectToast(page, 'Error', 'Failed to create user')
    expect(refusals(complaints)).toHaveLength(2)
    await page.getByRole('button', { name: 'Create User' }).evaluate((button: HTMLButtonElement) => {
      localStorage.clear()
      button.click()
    })
    await expectToast(page, 'Error', 'No active session')
  })
})

async function askForRefund(shop: Shop, { access_token }: Session): Promise<void> {
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await fetch(`${shop.url}/api/purchases`, { headers })
  const { items } = (await response.json()) as { items: { id: string }[] }
  await post(shop, `/api/purchases/${items[0]!.id}/refund`, { reason: 'It came twice.' }, access_token)
}
