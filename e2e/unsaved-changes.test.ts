// A form with unsaved text asks before it is left, in whichever way.
import { expectAccessible } from './accessible.ts'
import { buy, enter, makeUser } from './users.ts'
import { expect, test } from './shop.ts'

test('an address that is half typed is not lost by going back or by reloading', async ({ page, shop }) => {
  const session = await enter(page, shop, await makeUser(shop))
  await buy(shop, session, 'paperback')
  await page.goto('/')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: /^Add address/ }).click()
  const form = page.getByRole('dialog', { name: 'Where shall we send it?' })
  await form.getByLabel('Full name').fill('Ruth of Moab')

  await page.goBack()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question).toBeVisible()
  await expectAccessible(page)
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
  await expect(page).toHaveURL(`${shop.url}/`)
  // Nothing is left to ask about.
  await page.reload()
})

test('a form in a dialog asks before Escape or Cancel throws away what was typed', async ({ page, shop }) => {
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
  await expectAccessible(page)
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
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)
})

test('a form that was saved, or only looked at, does not ask', async ({ page, shop }) => {
  const session = await enter(page, shop, await makeUser(shop))
  await buy(shop, session, 'paperback')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Add address/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)
})
