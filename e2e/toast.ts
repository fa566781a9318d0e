// A notice in the corner, word for word: its title and its text. The newest of that title counts.
import type { Page } from '@playwright/test'
import { expect } from './shop.ts'

export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const shown = page.getByRole('status').getByText(title, { exact: true }).last()
  await expect(shown).toBeVisible()
  await expect(shown.locator('..').locator('p')).toHaveText([title, description])
}
