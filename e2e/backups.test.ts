// Backups in the admin area: made by a button, rehearsed, and shown for what they are.
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

// A shop of its own: after a minute it makes a backup by itself.
test.use({ shopName: 'the shop that is backed up' })

test('an admin backs up, rehearses a restore, and reads what was done', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/backups')
  const main = page.getByRole('main')
  const [backUp, rehearse] = ['Back up now', 'Rehearse a restore'].map((name) =>
    main.getByRole('button', { name }),
  )
  await expect(main.getByText('There is no backup yet')).toBeVisible()
  await expect(rehearse!).toBeDisabled()
  await expectAccessible(page)

  await backUp!.click()
  await expect(main.getByText(/^Backed up on .+: \d+ orders?, \d+ files\.$/)).toBeVisible()
  await expect(main.getByText('This is the same disk', { exact: false })).toBeVisible()
  await rehearse!.click()
  await expect(
    main.getByText(/^Rehearsed from .+ on .+ rows and totals match, files are intact/),
  ).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'Rehearsal' })).toContainText('done')
  await expectAccessible(page)
})
