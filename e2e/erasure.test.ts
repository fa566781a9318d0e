// A reader has the account erased, and the author keeps the books.
import { eraseAccount } from '#domains/operations/erasures.ts'
import { openDatabase } from '#platform/db/client.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password } from './users.ts'

test('a reader asks for the erasure, changes their mind, asks again, and is erased', async ({
  page,
  shop,
  complaints,
}) => {
  const email = await makeUser(shop)
  const session = await enter(page, shop, email)
  await buy(shop, session, 'digital')
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const user = `(select id from auth.users where email = $1)`
  await database.pool.query(
    `update auth.sessions set proved_at = now() - interval '1 hour' where user_id = ${user}`,
    [email],
  )

  await page.goto('/account')
  await page.getByRole('button', { name: 'Erase my account' }).click()
  const question = page.getByRole('dialog', { name: 'Erase your account?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Erase my account' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Your account will be erased on /)).toBeVisible()
  await expectAccessible(page)
  const mail = await shop.mailbox.to(email, /account will be erased/)
  expect(mail.text).toContain(`${shop.url}/account`)
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Your account will be erased on' })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await notice.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page.getByText('Your Account Stays')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Erase my account' })).toBeVisible()
  await expect(page.getByText(/^Your account will be erased on /)).toBeHidden()

  const { rows } = await database.pool.query<{ id: string }>(`select ${user} as id`, [email])
  const user_id = rows[0]!.id
  await database.db.transaction((tx) => eraseAccount(tx, { user_id, now: new Date() }))
  await page.reload()
  await expect(page).toHaveURL(`${shop.url}/auth?next=/account`)

  expect(refusals(complaints)).not.toEqual([])

  await enterAdmin(page, shop, `/admin/users/${user_id}`)
  await expect(page.getByText('This account was erased.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Erased account' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^#\d+/ }).click()
  await page.getByRole('button', { name: 'Show who paid' }).click()
  await page.getByRole('button', { name: 'Show the name' }).click()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByText(/^Kept until the end of 20\d\d$/)).toBeVisible()
  await expectAccessible(page)
})
