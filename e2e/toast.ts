// A notice in the corner, word for word: its title and its text. The newest of that title counts.
import type { Page } from '@playwright/test'
import { expect } from './shop.ts'

export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const said = page.getByRole('status').getByText(title, { exact: true }).last()
  await expect(said).toBeVisible()
  await expect(said.locator('..').locator('p')).toHaveText([title, description])
}
