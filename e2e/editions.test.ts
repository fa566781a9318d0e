// New editions and days of release: uploaded or set by the author, told to readers by email, downloaded.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { makeBook } from '#test/epub.ts'
import { mailTo } from './mailing.ts'
import { admin, expect, test, visitHydrated } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password, productOf, signIn, someone } from './users.ts'

test.use({ shopName: 'the shop with a second edition', sendsMail: true })
test.describe.configure({ mode: 'serial' })

const sample = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))
const psalms = fileURLToPath(new URL('../test/books/calibre-psalmy.mobi', import.meta.url))

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const inWords = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** As the admin area has it. */
const inShort = (day: string) =>
  new Date(day).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    timeZone: 'UTC',
  })

test('a new edition reaches its owner, who keeps the earlier one and turns the emails off', async ({
  page,
  shop,
  smtp,
  chrome,
}) => {
  const email = await makeUser(shop)
  const { name } = await buy(shop, await signIn(shop, { email, password }), 'digital')
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('What changed (optional)').fill('A new chapter about hope.')
  await page.getByLabel('Ebook file').setInputFiles(sample)
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  const question = page.getByRole('dialog', { name: 'Make this the new edition?' })
  await expect(question).toContainText(
    /Title.*Nine P's that Change Everything.*EPUB, .* kB.*Chapters.*Owners/s,
  )
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('What changed (optional)')).toHaveValue('A new chapter about hope.')
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  await question.getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByText('A new chapter about hope.')).toBeVisible()
  await expect(page.getByRole('status').getByRole('link', { name: 'Tell its owners' })).toBeVisible()
  await page.getByRole('link', { name: 'Tell its owners: EPUB, edition 2' }).click()
  await expect(page.getByText(`One reader bought ${name}`)).toBeVisible()
  await page.getByRole('button', { name: 'Preview the email' }).click()
  const letter = page.frameLocator('iframe[title="The email as it looks"]')
  await expect(letter.getByText('A new edition of your book')).toBeVisible()
  await page.getByRole('button', { name: 'Send it to me first' }).click()
  await expect(page.getByText('Sent to you')).toBeVisible()
  expect((await mailTo(smtp, admin.email, /^A new edition/)).text).toContain('A new chapter about hope.')
  await page.getByRole('button', { name: 'Tell its owners' }).click()
  await page.getByRole('button', { name: 'Send 1 email', exact: true }).click()
  await expect(page.getByText('Finished.')).toBeVisible()
  await expect(page.getByText('1 of 1')).toBeVisible()
  await expect(page.getByRole('status').getByRole('link', { name: 'Tell its owners' })).toHaveCount(0)

  const mail = await mailTo(smtp, email, /^A new edition/)
  expect(mail.text).toContain('A new chapter about hope.')
  await using reader = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
  reader.setDefaultTimeout(30_000)
  const tab = await reader.newPage()
  await enter(tab, shop, email)
  await tab.goto('/dashboard')
  await tab.getByText('All editions').click()
  await expect(tab.getByText('A new chapter about hope.')).toBeVisible()
  const [file] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('button', { name: 'Download Edition 1, EPUB' }).click(),
  ])
  expect(await file.failure()).toBe(null)

  const link = /https?:\/\/\S+\/emails\/\S+/.exec(mail.text ?? '')![0]
  await tab.goto(link)
  await expect(tab.getByText('You get an email when there is a new edition')).toBeVisible()
  await tab.getByRole('button', { name: 'No more of these emails' }).click()
  await expect(tab.getByText('You get no emails about new editions any more.')).toBeVisible()
  await tab.goto('/account')
  const choice = tab.getByLabel('Tell me about new editions of books that I own')
  await expect(choice).not.toBeChecked()
  await choice.click()
  await expect(choice).toBeChecked()
  await tab.goto(link)
  await expect(tab.getByRole('button', { name: 'No more of these emails' })).toBeVisible()
})

test('a file of another book is warned of; the edition before is downloaded, and made current again', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name: "Nine P's that Change Everything", exact: true }).first().click()
  await page.getByLabel('Ebook file').setInputFiles(psalms)
  await page.getByRole('button', { name: 'Add the file' }).click()
  const further = page.getByRole('dialog', { name: /^Add the MOBI/ })
  await expect(further).toContainText(/(PDF and EPUB|EPUB and PDF) stay/)
  await further.getByRole('button', { name: 'Cancel' }).click()
  const other = makeBook(
    { 'a.xhtml': '<h1>Bread</h1><p>Flour and water.</p>' },
    { metadata: '<dc:title>A Cookbook</dc:title>' },
  )
  await page
    .getByLabel('Ebook file')
    .setInputFiles({ name: 'bread.epub', mimeType: 'application/epub+zip', buffer: other })
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  const question = page.getByRole('dialog', { name: 'Make this the new edition?' })
  await expect(question).toContainText('The title of this file is “A Cookbook”')
  await page.clock.install()
  await question.getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByText('Edition 3')).toBeVisible()
  await page.clock.fastForward('01:00')
  const notice = page.locator('.toasts > *').filter({ hasText: 'New edition' })
  await expect(notice.getByRole('link', { name: 'Tell its owners' })).toBeVisible()
  await notice.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(notice).toHaveCount(0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download EPUB, edition 1' }).click(),
  ])
  expect(file.suggestedFilename()).toContain('edition 1.epub')
  await page.getByRole('button', { name: 'Go back to this edition: EPUB, edition 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to it' }).click()
  await expect(page.getByText('Edition 4')).toBeVisible()
  await expect(page.getByText('Edition 3')).toBeVisible()
})

test('a new edition is what owners get from then on, also those of a bundle that holds it', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'bundle')
  const second = Buffer.concat([
    await readFile(sample.replace('.epub', '.pdf')),
    Buffer.from('\n%second\nstartxref\n0\n%%EOF'),
  ])
  await enterAdmin(page, shop, '/admin/products')
  await page.getByRole('link', { name: "Nine P's that Change Everything", exact: true }).click()
  await page
    .getByLabel('Ebook file')
    .setInputFiles({ name: 'second.pdf', mimeType: 'application/pdf', buffer: second })
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByText('New edition', { exact: true })).toBeVisible()
  await expect(page.getByText('earlier').first()).toBeVisible()
  await enter(page, shop, email)
  await page.goto('/dashboard')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  expect((await readFile(await saved.path())).equals(second)).toBe(true)
})

// What was sold already gets no day.
test.describe('before it is sold', () => {
  test.use({ shopName: 'the shop with a pre-order' })

  test('a pre-order says its day, is moved and released, and is downloaded then', async ({
    page,
    shop,
    smtp,
    chrome,
  }) => {
    const [first, second] = [dayIn(30), dayIn(60)]
    const { id, name } = await productOf(shop, 'digital')
    await enterAdmin(page, shop, `/admin/products/${id}`)
    await page.getByRole('radio', { name: /^Pre-order/ }).check()
    await page.getByLabel('Day', { exact: true }).fill(first)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText(`It comes out on ${inShort(first)}`)).toBeVisible()

    await using context = await chrome.newContext({ baseURL: shop.url, acceptDownloads: true })
    context.setDefaultTimeout(30_000)
    const reader = visitHydrated(await context.newPage())
    await reader.goto('/')
    await expect(reader.getByText(`Pre-order: out on ${inWords(first)}`).first()).toBeVisible()
    await expect(reader.getByRole('button', { name: 'Pre-order Digital' })).toBeVisible()
    const waiting = someone()
    await reader.getByRole('link', { name: 'Tell me when it is out' }).first().click()
    await expect(reader.getByRole('heading', { name: 'Tell me when it is out' })).toBeVisible()
    await reader.getByLabel('Email').fill(waiting)
    await reader.getByRole('button', { name: 'Tell me' }).click()
    await expect(reader.getByText(`The email goes to ${waiting}.`)).toBeVisible()
    const asked = await mailTo(smtp, waiting, /^Shall we tell you/)
    await reader.route('**/api/release-waitlist/show', (route) => route.abort(), { times: 2 })
    await reader.goto(/https?:\/\/\S+\/tell-me\/\S+/.exec(asked.text ?? '')![0])
    const failed = reader.getByRole('heading', { name: 'The page could not be loaded' })
    await expect(failed).toBeFocused()
    await reader.getByRole('button', { name: 'Try again' }).click()
    await expect(reader.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await expect(failed).toBeFocused()
    await reader.getByRole('button', { name: 'Try again' }).click()
    await expect(reader.getByRole('heading', { name: 'Shall we tell you?' })).toBeFocused()
    await reader.getByRole('button', { name: 'Yes, tell me' }).click()
    await expect(reader.getByRole('heading', { name: 'We tell you when it is out' })).toBeVisible()
    await reader.reload()
    await expect(reader.getByRole('heading', { name: 'We tell you when it is out' })).toBeVisible()
    await expect(reader.getByRole('main').getByRole('button')).toHaveText(['Delete my address'])

    const email = await makeUser(shop)
    await buy(shop, await signIn(shop, { email, password }), 'digital')
    await enter(reader, shop, email)
    await reader.goto('/dashboard')
    await expect(reader.getByText(`It comes out on ${inWords(first)}. You get an email then.`)).toBeVisible()
    await expect(reader.getByRole('button', { name: /^Download/ })).toHaveCount(0)
    const receipt = await mailTo(smtp, email, /receipt/)
    expect(receipt.text).toContain(`It comes out on ${inWords(first)}`)

    await page.reload()
    await expect(page.getByText('One reader has ordered it.')).toBeVisible()
    await page.getByLabel('Day', { exact: true }).fill(second)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Save the product?' })
    await expect(question.getByText('An email goes to one reader')).toBeVisible()
    await question.getByRole('button', { name: 'Save' }).click()
    await mailTo(smtp, email, new RegExp(`comes out on ${inWords(second)}$`))

    await page.getByRole('radio', { name: 'For sale now' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(question.getByText('It is out at once, and an email goes to 2 readers')).toBeVisible()
    await question.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Product saved')).toBeVisible()
    // Somebody has it: it does not wait for a day any more.
    await expect(page.getByRole('radio', { name: /^Pre-order/ })).toHaveCount(0)
    await mailTo(smtp, waiting, /is out$/)
    const out = await mailTo(smtp, email, /is out$/)
    expect(out.text).toContain(name)
    await reader.reload()
    const [file] = await Promise.all([
      reader.waitForEvent('download'),
      reader
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ])
    expect(await file.failure()).toBe(null)
  })
})
