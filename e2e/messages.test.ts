// Messages in the admin area: read, answered, deleted and brought back.
import { part } from './part.ts'
import { tabTo } from './accessible.ts'
import { expect, test } from './shop.ts'
import { buy, enterAdmin, makeUser, password, post, signIn } from './users.ts'

const message = {
  name: 'Lydia',
  email: 'lydia@example.com',
  subject: 'Purple & more',
  message: 'Come and stay.',
}

test('the author answers messages, also where a reply fails at first, and deletes and restores one', async ({
  page,
  shop,
  complaints,
}) => {
  await part(page, 'a reader who bought is answered with a snippet, beside the order', async () => {
    const email = await makeUser(shop)
    await buy(shop, await signIn(shop, { email, password }), 'digital')
    await post(shop, '/api/contact', { ...message, email, subject: 'Where is my book?' })
    await enterAdmin(page, shop, '/admin/messages')
    await page.getByRole('link', { name: 'Where is my book?' }).click()
    await expect(page.getByRole('complementary', { name: 'Sender' }).getByText('Completed')).toBeVisible()

    await page.getByText('Snippets', { exact: true }).click()
    await page.getByRole('button', { name: 'Where is my download' }).click()
    const question = page.getByRole('dialog', { name: 'New snippet' })
    await question.getByLabel('Text').fill('It waits on your dashboard.')
    await question.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Snippet saved')).toBeVisible()

    const reply = page.getByLabel(`Reply to ${email}`)
    await reply.fill('Dear Lydia, ')
    await page.getByRole('button', { name: 'Insert “Where is my download”' }).click()
    await expect(reply).toHaveValue('Dear Lydia, It waits on your dashboard.')
    await page.reload()
    await expect(reply).toHaveValue('Dear Lydia, It waits on your dashboard.')
    await page.getByRole('button', { name: 'Save reply' }).click()
    await expect(reply).toHaveValue('')
    await expect(page.getByRole('article').nth(1)).toContainText('Dear Lydia, It waits on your dashboard.')
    const mail = await shop.mailbox.to(email, /^Re: Where is my book\?$/)
    expect(mail.text).toContain('It waits on your dashboard.')
    expect(mail.text).toContain('Come and stay.')

    await page.getByRole('button', { name: 'Mark as done' }).click()
    await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
    await page.getByRole('link', { name: 'All messages' }).click()
    await page.getByLabel('State').selectOption('Done')
    await expect(page).toHaveURL('/admin/messages?state=done')
    await expect(page.getByRole('link', { name: 'Where is my book?' })).toBeVisible()
  })

  await part(page, 'a reply that could not be sent is sent once by the next press', async () => {
    await post(shop, '/api/contact', { ...message, subject: 'Sent twice?' })
    await enterAdmin(page, shop, '/admin/messages')
    await page.getByRole('link', { name: 'Sent twice?' }).click()
    const reply = page.getByLabel('Reply to lydia@example.com')
    await reply.fill('Once is enough.')
    await page.route('**/replies/*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Save reply' }).click()
    await expect(page.getByText('Couldn’t save the reply')).toBeVisible()
    await expect(reply).toHaveValue('Once is enough.')
    await page.unroute('**/replies/*')
    await page.getByRole('button', { name: 'Save reply' }).click()
    await expect(reply).toHaveValue('')
    await expect(page.getByText('Once is enough.')).toHaveCount(1)
    expect(complaints.splice(0)).toHaveLength(1)
  })

  await part(
    page,
    'a message that is marked as unread is listed with the unread, deleted by the keyboard, and brought back',
    async () => {
      for (const subject of ['For later', 'Seen']) await post(shop, '/api/contact', { ...message, subject })
      await enterAdmin(page, shop, '/admin/messages')
      const open = async (name: string) => {
        await page.getByRole('link', { name }).click()
        await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()
      }
      await open('Seen')
      await page.getByRole('link', { name: 'All messages' }).click()
      await expect(page).toHaveURL('/admin/messages')
      await open('For later')
      await page.getByRole('button', { name: 'Mark as unread' }).click()
      await expect(page).toHaveURL('/admin/messages')
      await page.getByLabel('Show', { exact: true }).selectOption('Unread')
      await expect(page).toHaveURL('/admin/messages?only=unread')
      await expect(page.getByRole('link', { name: 'Seen' })).toHaveCount(0)
      await expect(page.getByRole('link', { name: 'For later' })).toBeVisible()

      await post(shop, '/api/contact', message)
      await enterAdmin(page, shop, '/admin/messages')
      const subject = page.getByRole('link', { name: 'Purple & more' })
      await subject.click()
      await expect(page.getByRole('article')).toContainText('Come and stay.')
      await tabTo(page, page.getByRole('button', { name: 'Delete' }))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/admin/messages')
      await expect(subject).toHaveCount(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(subject).toBeVisible()
      await page.getByRole('link', { name: 'Log', exact: true }).click()
      await expect(page.getByText('restored the message of lydia@example.com')).toBeVisible()
    },
  )
})
