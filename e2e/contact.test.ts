// A visitor writes to the author: it arrives, and nothing typed is ever lost.
import type { Locator, Page } from '@playwright/test'
import { refuseStorage } from './guests.ts'
import { part } from './part.ts'
import { leaveScripts } from './leaving.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { enter, makeUser } from './users.ts'

test('a message is sent once, and nothing typed is lost where it cannot be @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'a message is sent once, the form is empty again, and the author can answer the mail',
    async () => {
      let posts = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/api/contact')) posts += 1
      })
      await page.goto('/')
      const form = await write(page, { email: 'ruth@example.com', subject: 'On the fourth word' })
      const arrived = Promise.withResolvers<void>()
      await page.route('**/api/contact', async (route) => {
        await arrived.promise
        await route.continue()
      })
      await form.getByRole('button', { name: 'Send Message' }).dblclick()
      await expect(form.getByRole('button', { name: 'Sending...' })).toBeDisabled()
      for (const label of ['Name', 'Email', 'Subject', 'Message']) {
        await expect(form.getByLabel(label, { exact: true })).toBeDisabled()
      }
      arrived.resolve()

      await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
      await expect(
        page.getByText(
          'Thank you for your message. The author will get back to you within 2-3 business days.',
        ),
      ).toBeVisible()
      for (const label of ['Name', 'Email', 'Subject', 'Message']) {
        await expect(form.getByLabel(label, { exact: true })).toHaveValue('')
      }
      const mail = await shop.mailbox.to(admin.email, /On the fourth word/)
      expect(mail.replyTo?.[0]?.address).toBe('ruth@example.com')
      expect(mail.text).toContain('Is protection a promise?')
      expect(posts).toBe(1)
    },
  )

  await part(page, 'a message that cannot be sent stays, over a reload too, until it is sent', async () => {
    await page.goto('/')
    const form = await write(page, { email: 'naomi@example.com', subject: 'A second try' })
    await page.route('**/api/contact', (route) => route.abort())
    await form.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Failed to Send Message')).toBeVisible()
    await expect(
      page.getByText(
        'There was an error sending your message. Please try again or contact the author directly.',
      ),
    ).toBeVisible()
    await expect(form.getByLabel('Message', { exact: true })).toHaveValue('Is protection a promise?')
    await expect(form.getByRole('button', { name: 'Send Message' })).toBeFocused()
    expect(refusals(complaints)).toHaveLength(1)

    await page.reload()
    await expect(form.getByLabel('Subject')).toHaveValue('A second try')
    await form.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Failed to Send Message')).toBeVisible()
    expect(refusals(complaints)).toHaveLength(1)
    await page.unroute('**/api/contact')
    await form.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
    await expect(page.getByText('Failed to Send Message')).toHaveCount(0)
    await shop.mailbox.to(admin.email, /A second try/)
    await page.reload()
    await expect(form.getByLabel('Subject')).toHaveValue('')
  })

  await part(
    page,
    'what is wrong with a field is said beside it, by the browser or by the shop, in the same words',
    async () => {
      await page.goto('/')
      const form = page.locator('#contact form')
      await form.getByRole('button', { name: 'Send Message' }).click()
      await expect(form.getByLabel('Name')).toBeFocused()
      for (const label of ['Name', 'Subject', 'Message']) {
        const field = form.getByLabel(label, { exact: true })
        await expect(field).toHaveAccessibleDescription('Please fill in this field.')
      }
      await write(page, { email: 'nobody@nowhere', subject: 'Without an address' })
      await form.getByRole('button', { name: 'Send Message' }).click()
      await expectWrongAddress(form)

      await page.goto('/')
      await page.route('**/assets/*.js', (route) => route.abort())
      await write(page, { email: 'nobody@nowhere', subject: 'Without an address' })
      refusals(complaints)
      await form.getByRole('button', { name: 'Send Message' }).click()
      await expectWrongAddress(form)
      expect(refusals(complaints)).not.toHaveLength(0)
    },
  )

  await part(
    page,
    'what is no draft in the browser’s memory leaves the form empty, and breaks nothing',
    async () => {
      for (const stored of ['{broken', 'null', '7', '[]', '{"name":null,"email":7,"subject":{}}']) {
        await leaveScripts(page)
        await page.evaluate((draft) => sessionStorage.setItem('contact-draft', draft), stored)
        await page.goto('/#contact')
        const form = page.locator('#contact form')
        await form.getByLabel('Message', { exact: true }).fill('Still works')
        for (const label of ['Name', 'Email', 'Subject']) {
          await expect(form.getByLabel(label, { exact: true }), stored).toHaveValue('')
        }
      }
    },
  )

  await part(page, 'the form is filled in for who is signed in, and never over what was typed', async () => {
    const email = await makeUser(shop)
    await enter(page, shop, email)
    await page.goto('/')
    const form = page.locator('#contact form')
    await expect(form.getByLabel('Email')).toHaveValue(email)
    await form.getByLabel('Email').fill('another@example.com')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
    await expect(form.getByLabel('Email')).toHaveValue('another@example.com')
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
  })

  await part(page, 'a message whose script does not come is sent without it, and once', async () => {
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await promise
      await route.continue().catch(() => undefined)
    })
    await page.goto('/')
    const form = await write(page, { email: 'ruth@example.com', subject: 'Without a script' })
    await form.getByRole('button', { name: 'Send Message' }).click()
    await expect(form.getByRole('button', { name: 'Sending...' })).toBeVisible()
    await page.waitForURL('**/contact/sent#contact')
    resolve()
    await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
    await expect(form.getByLabel('Subject')).toHaveValue('')
    await shop.mailbox.to(admin.email, /Without a script/)
    expect(posts).toEqual(['/contact'])
  })

  await part(page, 'a browser that keeps nothing sends it, too, and says so', async () => {
    await refuseStorage(page)
    await page.goto('/')
    const form = await write(page, { email: 'ruth@example.com', subject: 'Without a memory' })
    await form.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
    await expect(form.getByLabel('Subject')).toHaveValue('')
    await expect(form.getByRole('button', { name: 'Send Message' })).toBeEnabled()
    await shop.mailbox.to(admin.email, /Without a memory/)
  })
})

async function expectWrongAddress(form: Locator) {
  await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.')
  await expect(form.getByLabel('Email')).toBeFocused()
  await expect(form.getByLabel('Subject')).toHaveValue('Without an address')
  await expect(form.locator('[aria-invalid]')).toHaveCount(1)
}

async function write(page: Page, { email, subject }: { email: string; subject: string }) {
  const form = page.locator('#contact form')
  await form.getByLabel('Name').fill('Ruth')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Subject').fill(subject)
  await form.getByLabel('Message', { exact: true }).fill('Is protection a promise?')
  return form
}
