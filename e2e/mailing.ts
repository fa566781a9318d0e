// What arrives at the mail server of a shop that sends its emails.
import { codeIn } from '#test/auth-client.ts'
import type { TestSmtpServer } from '#test/smtp.ts'
import type { Page } from '@playwright/test'
import { expect } from './shop.ts'

export async function mailTo(smtp: TestSmtpServer, address: string, about = /./) {
  const find = () =>
    smtp.emails.find(
      ({ envelope, email }) => envelope.to.includes(address) && about.test(email.subject ?? ''),
    )?.email
  await expect.poll(find).toBeDefined()
  return find()!
}

/** Returns the code. */
export async function signInByCode(page: Page, smtp: TestSmtpServer, address: string): Promise<string> {
  await page.goto('/auth?next=/dashboard')
  await page.getByRole('button', { name: 'Email me a code instead' }).click()
  const form = page.getByRole('region', { name: 'Sign in with a code' })
  await form.getByLabel('Email').fill(address)
  await form.getByLabel('Email').press('Enter')
  const code = codeIn(await mailTo(smtp, address, /^\d{6} is your code$/))
  await form.getByLabel('Code from the email').fill(code)
  await page.keyboard.press('Enter')
  return code
}
