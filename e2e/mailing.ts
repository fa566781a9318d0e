// A shop that sends its emails to a mail server, and what arrives there.
import { codeIn } from '#test/auth-client.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Page } from '@playwright/test'
import { test as base, expect } from './shop.ts'

export const test = base.extend<object, { smtp: TestSmtpServer }>({
  smtp: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await using smtp = await openSmtpServer()
      await give(smtp)
    },
    { scope: 'worker' },
  ],
  settings: ({ smtp }, give) => give({ SMTP_URL: smtp.url, SMTP_PRIVATE_HOSTS: 'on' }),
})

export async function mailTo(smtp: TestSmtpServer, address: string, about = /./) {
  const find = () =>
    smtp.emails.find(
      ({ envelope, email }) => envelope.to.includes(address) && about.test(email.subject ?? ''),
    )?.email
  await expect.poll(find).toBeDefined()
  return find()!
}

export async function signInByCode(page: Page, smtp: TestSmtpServer, address: string): Promise<void> {
  await page.goto('/auth?next=/dashboard')
  await page.getByRole('button', { name: 'Email me a code instead' }).click()
  const form = page.getByRole('region', { name: 'Sign in with a code' })
  await form.getByLabel('Email').fill(address)
  await form.getByLabel('Email').press('Enter')
  const code = codeIn(await mailTo(smtp, address, /sign-in code/i))
  await form.getByLabel('Code from the email').fill(code)
  await page.keyboard.press('Enter')
}
