// A form with unsaved text asks before it is left, in whichever way, and not once it was saved.
import { part } from './part.ts'
import { expect, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'

test('a form with unsaved text asks before it is left, in whichever way, and not once it was saved', async ({
  page,
  shop,
}) => {
  await part(page, 'an address that is half typed is not lost by going back or by reloading', async () => {
    const session = await enter(page, shop, await makeUser(shop))
    await buy(shop, session, 'paperback')
    await page.goto('/account')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('button', { name: /^Add address/ }).click()
    const form = page.getByRole('dialog', { name: 'Where shall we send it?' })
    await form.getByLabel('Full name').fill('Ruth of Moab')

    await page.goBack()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Stay on this page' }).click()
    await expect(question).toBeHidden()
    await expect(page).toHaveURL(/\/dashboard/)
    await expect(form.getByLabel('Full name')).toHaveValue('Ruth of Moab')

    const asked = page.waitForEvent('dialog')
    const leaving = page.evaluate(() => location.reload())
    const browsersQuestion = await asked
    expect(browsersQuestion.type()).toBe('beforeunload')
    await browsersQuestion.dismiss()
    await leaving
    await expect(form.getByLabel('Full name')).toHaveValue('Ruth of Moab')

    await page.goBack()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page).toHaveURL(`${shop.url}/account`)
    // Nothing is left to ask about.
    await page.reload()
  })

  await part(
    page,
    'a form in a dialog asks before Escape or Cancel throws away what was typed, and not where it was only looked at',
    async () => {
      const session = await enter(page, shop, await makeUser(shop))
      await buy(shop, session, 'paperback')
      await page.goto('/dashboard')
      const opener = page.getByRole('button', { name: /^Add address/ })
      await opener.click()
      const form = page.getByRole('dialog', { name: 'Where shall we send it?' })
      const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
      const name = form.getByLabel('Full name')
      await name.fill('Ruth of Moab')

      await page.keyboard.press('Escape')
      await expect(question).toBeVisible()
      await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
      for (const title of [form, question, form]) {
        await page.keyboard.press('Escape')
        await expect(title).toBeVisible()
      }
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('Ruth of Moab')

      await form.getByRole('button', { name: 'Cancel' }).click()
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await expect(name).toHaveValue('Ruth of Moab')
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Discard' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(opener).toBeFocused()
      await opener.click()
      await form.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.getByRole('link', { name: 'Back to Home' }).click()
      await expect(page).toHaveURL(`${shop.url}/`)
    },
  )

  await part(
    page,
    'a half-filled form asks before it is left by a link or by signing out, and not once it was sent',
    async () => {
      await enterAdmin(page, shop, '/admin/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
      const question = page.getByRole('dialog', { name: 'Leave without saving?' })
      await page.getByRole('link', { name: 'Products', exact: true }).click()
      await question.getByRole('button', { name: 'Stay on this page' }).click()
      await page.getByRole('button', { name: 'Sign Out' }).click()
      const signOut = page.getByRole('dialog', { name: 'Sign out without saving?' })
      await signOut.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Generate' }).click()
      await page.getByRole('button', { name: 'Create User' }).click()
      await expect(page.getByText('User Created')).toBeVisible()
      await page.getByRole('link', { name: 'Products', exact: true }).click()
      await expect(page).toHaveURL(/\/admin\/products$/)

      await buy(shop, await enter(page, shop, await makeUser(shop)), 'hardcover')
      await enterAdmin(page, shop, '/admin/purchases')
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
      await page.getByLabel('Note (optional)').fill('A bent corner')
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await question.getByRole('button', { name: 'Leave without saving' }).click()
      await expect(page).toHaveURL(/\/admin\/users$/)

      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByLabel('Email').fill('left@example.com')
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await signOut.getByRole('button', { name: 'Sign out' }).click()
      await expect(page).toHaveURL(`${shop.url}/`)
      await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
    },
  )

  await part(
    page,
    'a form that stays on its screen asks nothing once its work is done, and asks again after another change',
    async () => {
      await enterAdmin(page, shop, '/admin/discounts/gifts')
      const question = page.getByRole('dialog', { name: 'Leave without saving?' })
      const leaveFor = async (name: string, path: string) => {
        await page.getByRole('link', { name, exact: true }).click()
        await expect(page).toHaveURL(`${shop.url}${path}`)
      }
      const list = page.getByLabel('To', { exact: true })
      const give = async () => {
        // A line that is no address is left out, and the form stays for it.
        await list.fill(`${crypto.randomUUID()}@example.com\nno address`)
        await page.getByRole('button', { name: 'Preview the email' }).click()
        await page.getByRole('button', { name: /^Give, and keep 1 email$/ }).click()
        await expect(page.getByText('1 email is kept.')).toBeVisible()
      }
      await give()
      await leaveFor('Products', '/admin/products')

      await leaveFor('Free copies', '/admin/discounts/gifts')
      await give()
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await list.fill('another@example.com')
      await page.getByRole('link', { name: 'Products', exact: true }).click()
      await question.getByRole('button', { name: 'Leave without saving' }).click()
      await expect(page).toHaveURL(`${shop.url}/admin/products`)

      await buy(shop, await enter(page, shop, await makeUser(shop)), 'paperback')
      await enterAdmin(page, shop, '/admin/purchases')
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
      await page.getByLabel('Amount ($)').fill('1')
      await page.getByRole('button', { name: 'Record a refund' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Record refund' }).click()
      await expect(page.getByText(/^Recorded\. Now send/)).toBeVisible()
      await leaveFor('Products', '/admin/products')
    },
  )

  await part(
    page,
    'the forms of products and uploads ask as well, and not once they were saved',
    async () => {
      await enterAdmin(page, shop, '/admin/products')
      const question = page.getByRole('dialog', { name: 'Leave without saving?' })
      const leave = async () => {
        await page.getByRole('link', { name: 'Users', exact: true }).click()
        await question.getByRole('button', { name: 'Leave without saving' }).click()
        await expect(page).toHaveURL(/\/admin\/users$/)
        await expect(page.getByRole('table', { name: 'Readers' })).toBeVisible()
      }

      await page.goto('/admin/products/new')
      await page.getByLabel('Name').fill('Half a name')
      await leave()
      await page.goto('/admin/products/new')
      await page.getByLabel('Name').fill('A paperback to keep')
      await page.getByLabel('Price ($)').fill('12')
      await page.getByRole('button', { name: 'Add the product' }).click()
      await expect(page.getByText('Product added')).toBeVisible()

      await page.getByLabel('What is in it').fill('A ribbon')
      await leave()
      await page.goBack()
      await page.getByLabel('What is in it').fill('Two ribbons')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Product saved')).toBeVisible()
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await expect(page).toHaveURL(/\/admin\/users$/)

      await page.goto('/admin/upload')
      await page.getByLabel('Title').fill('Half a title')
      await leave()
    },
  )
})
