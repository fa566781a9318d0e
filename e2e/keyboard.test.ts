// The shop by the keyboard alone, with less motion, and on a phone.
import type { Page } from '@playwright/test'
import { part } from './part.ts'
import { tabTo } from './accessible.ts'
import { admin, expect, test } from './shop.ts'
import { buy, enterAdmin, makeUser, password, saveSession, signIn } from './users.ts'

/** The frame that is shown while the first view loads has the same links, and is replaced. */
const loaded = (page: Page) => page.locator('main:not([aria-busy])').waitFor()

test('a reader uses the shop by the keyboard alone, and is moved at once who asks for less motion', async ({
  page,
  shop,
}) => {
  await part(page, 'with the keyboard alone one signs in, buys, and saves the book', async () => {
    const email = await makeUser(shop)
    await page.goto('/')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await tabTo(page, page.getByRole('link', { name: 'Sign In' }))
    await page.keyboard.press('Enter')

    await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: 'Sign Up' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await tabTo(page, form.getByLabel('Email'))
    await page.keyboard.type(email)
    await tabTo(page, form.getByLabel('Password', { exact: true }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')

    await expect(page).toHaveURL(`${shop.url}/`)
    await tabTo(page, page.locator('#book-sales').getByRole('button', { name: /digital/i }))
    await page.keyboard.press('Space')
    await page.waitForURL('**/dashboard')
    await tabTo(
      page,
      page
        .getByRole('region', { name: 'Your Purchases' })
        .getByRole('button', { name: /^Download/ })
        .first(),
    )
    const saved = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await saved).suggestedFilename()).toBe("Nine P's that Change Everything.epub")

    await page.goto('/')
    const again = page.locator('#book-sales').getByRole('button', { name: /digital/i })
    await tabTo(page, again)
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'You have this one already' })
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(again).toBeFocused()
  })

  await part(page, 'a user who asks for less motion is moved at once, not gliding', async () => {
    const stepsTo = async (name: string) => {
      const steps = await page.evaluateHandle(() => {
        const places = new Set<number>()
        addEventListener('scroll', () => places.add(scrollY))
        const ended = new Promise((resolve) => addEventListener('scrollend', resolve, { once: true }))
        return { places, ended }
      })
      await page.getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { name: 'Read a Preview' })).toBeInViewport()
      return steps.evaluate(async ({ places, ended }) => {
        await ended
        return places.size
      })
    }
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/')
    expect(await stepsTo('Learn More')).toBeGreaterThan(2)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/preview')
    await page.goto('/')
    expect(await stepsTo('Learn More')).toBeLessThanOrEqual(2)
  })
})

test('the author uses the admin area by the keyboard alone, on a phone as well', async ({ page, shop }) => {
  await part(page, 'an admin changes a role with the keyboard alone', async () => {
    const email = await makeUser(shop)
    await saveSession(page, JSON.stringify(await signIn(shop, admin)))
    await page.goto('/admin/users')
    await tabTo(page, page.getByPlaceholder('Search users...'))
    await page.keyboard.type(email)
    await expect(page.getByText(/^1 of/)).toBeVisible()
    await tabTo(page, page.getByRole('link', { name: 'Unknown User' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Remove the role user' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByRole('button', { name: 'Remove' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Give the role user' })).toBeVisible()
  })

  await part(page, 'where the system sets the colors, the current place shows the focus, too', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await enterAdmin(page, shop, '/admin/sales')
    await loaded(page)
    const views = page.getByRole('navigation', { name: 'Views' })
    const current = views.getByRole('link', { name: 'Sales' })
    await expect(current).toHaveCSS('outline-width', '2px')
    await tabTo(page, current)
    await expect(current).toHaveCSS('outline-width', '5px')
    await page.emulateMedia({ forcedColors: null })
  })

  await part(
    page,
    'a reader, an order and a setting are found and opened by the keyboard alone',
    async () => {
      const email = await makeUser(shop)
      await buy(shop, await signIn(shop, { email, password }), 'digital')
      await enterAdmin(page, shop)
      await expect(page.getByText('Total Revenue')).toBeVisible()
      const field = page.getByRole('combobox', { name: /^Find readers/ })
      const results = page.getByRole('listbox', { name: 'Results' })

      await page.keyboard.press('Control+k')
      await expect(field).toBeFocused()
      await page.keyboard.type(email)
      await expect(results.getByRole('option')).toHaveText([/Reader$/, /^#/, /^Search the help/])
      await expect(results.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/admin\/purchases\/[\w-]{36}$/)
      await expect(field).toHaveCount(0)

      await page.keyboard.press('Control+k')
      await page.keyboard.type('smtp')
      await expect(results.getByRole('option', { name: 'Mail settings' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/admin/mails/settings')

      // The field keeps what is typed before the screens of the search are loaded.
      const held = Promise.withResolvers<void>()
      await page.route('**/find-screens-*', async (route) => {
        await held.promise
        await route.continue()
      })
      await page.reload()
      await loaded(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('imprint')
      await expect(page.getByText('Searching…')).toBeVisible()
      held.resolve()
      await expect(results.getByRole('option').first()).toContainText('Imprint, terms and privacy policy')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Legal pages' })).toBeVisible()

      await page.keyboard.press('Control+k')
      await page.keyboard.type('zzz nothing')
      await expect(page.getByText('Nothing found')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(field).toHaveCount(0)
    },
  )

  await part(
    page,
    'on a phone the views stand behind a button, which the keyboard opens and closes, and the settings slide',
    async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await enterAdmin(page, shop)
      await expect(page.getByText('Total Revenue')).toBeVisible()
      const views = page.getByRole('navigation', { name: 'Views' })
      await expect(views).toHaveCount(0)
      await page.getByRole('button', { name: 'Menu' }).focus()
      await page.keyboard.press('Enter')
      await expect(views.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'page')
      await page.keyboard.press('Escape')
      await expect(views).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused()
      await page.keyboard.press('Enter')
      await views.getByRole('link', { name: 'Shipping' }).click()
      await expect(page).toHaveURL('/admin/shipping')
      await expect(views).toHaveCount(0)

      const held = Promise.withResolvers<void>()
      await page.route('**/api/me', async (route) => {
        await held.promise
        await route.continue()
      })
      await page.reload()
      await page.getByRole('button', { name: 'Menu' }).click()
      await expect(views).toBeVisible()
      held.resolve()
      await expect(page.locator('main:not([aria-busy])')).toHaveCount(1)
      await expect(views).toBeVisible()
      await page.goto('/admin/settings/admins')
      await loaded(page)
      const bar = page.getByRole('navigation', { name: 'Settings', exact: true })
      await expect(bar.getByRole('link', { name: 'Admins' })).toBeInViewport({ ratio: 0.9 })
      await expect(bar).toHaveAttribute('data-more', 'before')
      await bar.getByRole('link').first().focus()
      await expect(bar.getByRole('link').first()).toBeInViewport({ ratio: 0.9 })
      await expect(bar).toHaveAttribute('data-more', 'after')
    },
  )
})
