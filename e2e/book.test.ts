// The author’s own words, texts, legal pages, cover and colors: typed beside the real page, published, and taken back.
import type { Page } from '@playwright/test'
import { paint } from '#test/pictures.ts'
import { part } from './part.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, enterAdmin, makeUser, saveSession } from './users.ts'

const isSaved = (page: Page) => expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()

const title = (page: Page) => page.getByLabel('Title', { exact: true }).first()

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true })

const titles = [
  'Home',
  'A Journal of the Plague Year, Being Observations or Memorials of the Most Remarkable Occurrences, as well Public as Private, which Happened in London during the Last Great Visitation in 1665',
  'Donaudampfschifffahrtsgesellschaftskapitänswitwenrente',
  'Οδύσσεια, ή πώς γύρισε κανείς στο σπίτι του ύστερα από είκοσι χρόνια',
  'Преступление и наказание: роман в шести частях с эпилогом',
  '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。',
  'ألف ليلة وليلة، أو حكايات شهرزاد التي روتها للملك شهريار كل مساء',
]

test('an author edits texts, publishes them, and visitors read them; a dead link is found before @commit', async ({
  page,
  shop,
}) => {
  await part(
    page,
    'an author edits the book beside its page, publishes it, and restores an earlier version',
    async () => {
      await enterAdmin(page, shop, '/admin/book')
      await expect(page.getByText('Visitors see the sample.')).toBeVisible()
      const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
      await expect(preview.getByRole('heading', { level: 1 })).toHaveText(/Nine P’s/)

      await title(page).fill('The Long Road Home')
      await isSaved(page)
      await expect(preview.getByRole('heading', { level: 1, name: 'The Long Road Home' })).toBeVisible()
      await page.reload()
      await expect(title(page)).toHaveValue('The Long Road Home')
      expect(await (await page.request.get('/')).text()).not.toContain('The Long Road Home')

      await openPart(page, 'Preview')
      await page.getByRole('button', { name: 'Import a chapter from your EPUB' }).click()
      const chapters = page.getByRole('dialog').getByRole('list', { name: 'Chapters' })
      await chapters.getByRole('button', { name: /^Praise/ }).click()
      const chaptersPart = page.getByRole('region', { name: 'Preview', exact: true })
      await expect(chaptersPart.getByRole('button', { name: /Praise/ })).toBeVisible()
      await isSaved(page)

      await preview.getByRole('heading', { name: 'A personal invitation' }).click()
      await expect(page.getByRole('heading', { name: 'Author and invitation' })).toBeFocused()
      await expect(page.getByLabel('Title of the invitation')).toHaveValue('A personal invitation')
      // Not by the pointer: the frame is scaled.
      const toPreview = preview.locator('#hero-actions').getByRole('link', { name: 'Read a preview' })
      await toPreview.press('Enter')
      const words = page.getByRole('region', { name: 'Words of pages and emails' })
      await expect(words.getByRole('searchbox')).toHaveValue('Read a preview')
      await expect(words.getByLabel('Read a preview', { exact: true })).toBeVisible()
      await words.getByRole('searchbox').fill('')
      await toPreview.press('Enter')
      await expect(words.getByRole('searchbox')).toHaveValue('Read a preview')

      await openPart(page, 'Chapters')
      const list = page.getByRole('region', { name: 'Chapters', exact: true })
      const second = list.getByRole('button', { expanded: false }).nth(1)
      const next = await second.innerText()
      await list.getByRole('button', { expanded: false }).first().click()
      await list.getByRole('button', { name: 'Remove chapter 1' }).click()
      const first = list.getByRole('button', { expanded: false }).first()
      await expect(first).toBeFocused()
      expect((await first.innerText()).slice(1)).toBe(next.slice(1))

      // The sample's rating has no source.
      await publishButton(page).click()
      await expect(page.getByText('Please correct: Source of the rating.')).toBeVisible()
      await expect(page.getByLabel('Source')).toHaveAttribute('aria-invalid', 'true')
      await page.getByLabel('Show a rating').uncheck()
      await isSaved(page)
      await publish(page)
      await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()
      const published = await (await page.request.get('/')).text()
      expect(published).toContain('The Long Road Home')
      expect(published).not.toContain('out of 5 stars')

      await openPart(page, 'Title and description')
      await title(page).fill('Another Road')
      await isSaved(page)
      await publish(page)
      await expect(page.getByText('Visitors see version 2 now.')).toBeVisible()
      await page.getByText('Versions', { exact: true }).click()
      await page.getByRole('button', { name: 'Restore version 1' }).click()
      await expect(title(page)).toHaveValue('The Long Road Home')
      await publish(page)
      await expect(page.getByText('Visitors see version 3 now.')).toBeVisible()
      expect(await (await page.request.get('/')).text()).toContain('The Long Road Home')
    },
  )

  await part(page, 'an author takes the order of a new page, with the author before the prices', async () => {
    await enterAdmin(page, shop, '/admin/book')
    await openPart(page, 'Author and invitation')
    await page.getByLabel('Biography', { exact: true }).fill('I write at the kitchen table.')
    await openPart(page, 'Sections of the page')
    const isTold = page.getByRole('checkbox', { name: 'About the author' })
    await expect(isTold).not.toBeChecked()
    await page.getByRole('button', { name: 'Use the new order' }).click()
    await expect(isTold).toBeChecked()
    await expect(page.getByRole('button', { name: 'Use the new order' })).toHaveCount(0)
    await isSaved(page)
    const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
    const headings = preview.getByRole('heading', { level: 2 })
    await expect(headings.filter({ hasText: 'About the author' })).toBeVisible()
    const titles = await headings.allTextContents()
    expect(titles.indexOf('About the author')).toBeLessThan(titles.indexOf('Formats and prices'))
  })

  await part(page, 'a dead link is found before publishing, and shown where it stands', async () => {
    await enterAdmin(page, shop, '/admin/book')
    await openPart(page, 'Author and invitation')
    const text = page.getByLabel('Invitation', { exact: true })
    await text.fill('Come [in](http://127.0.0.1/nowhere).')
    await openPart(page, 'Promises and rating')
    await page.getByLabel('Show a rating').uncheck()
    await isSaved(page)
    await publishButton(page).click()
    const says = 'The link http://127.0.0.1/nowhere in the invitation leads into a network of its own.'
    await expect(page.getByText(says).first()).toBeVisible()
    await page.getByRole('button', { name: `Show in the form: ${says}` }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(text).toBeFocused()
    await expect(text).toHaveAccessibleDescription(says)
  })

  await part(page, 'an author finds a text of the page, changes it, and visitors read it', async () => {
    await enterAdmin(page, shop, '/admin/book')
    await openPart(page, 'Words of pages and emails')
    const search = page.getByRole('searchbox', { name: 'Find a text' })
    await search.fill('formats and prices')
    await expect(page.getByRole('status').getByText(/^(One text|\d+ texts)$/)).toBeVisible()
    await page.getByLabel('Formats and prices', { exact: true }).fill('Take the book home')

    await search.fill('5 out of 5 stars')
    const rating = page.getByLabel('{stars} out of {best} stars')
    await rating.fill('{stars} of {most}')
    await expect(page.getByText('{most} is not known here.')).toBeVisible()
    // After a reload the texts are loaded when one of them is refused.
    await isSaved(page)
    await page.reload()
    await publishButton(page).click()
    await expect(page.getByRole('heading', { name: 'Words of pages and emails' })).toBeFocused()
    await expect(rating).toHaveAttribute('aria-invalid', 'true')
    await search.fill('5 out of 5 stars')
    await rating.fill('{stars} of {best} points')
    await expect(page.getByText('is not known here')).toHaveCount(0)
    await page.getByRole('button', { name: 'Back to the standard text' }).click()
    await expect(rating).toHaveValue('')

    await search.fill('Refund my purchase')
    await expect(page.getByText('This text cannot be changed').first()).toBeVisible()
    await search.fill('')
    await page.getByLabel('Changed texts only (1)').check()
    await expect(page.getByText('One text')).toBeVisible()
    await expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()
    expect(await (await page.request.get('/')).text()).not.toContain('Take the book home')

    await openPart(page, 'Promises and rating')
    // The sample's rating has no source.
    await page.getByLabel('Show a rating').uncheck()
    await expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByText('Visitors see version 4 now.')).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Take the book home' }).first()).toBeVisible()
    await expect(page.getByText('Formats and prices')).toHaveCount(0)
  })
})

test('two admins do not overwrite each other, and a lost connection loses nothing that was typed', async ({
  page,
  shop,
  chrome,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/book')
  const context = await chrome.newContext({ baseURL: shop.url })
  const other = await context.newPage()
  await enterAdmin(other, shop, '/admin/book')

  await page.getByLabel('Subtitle').fill('Mine')
  await isSaved(page)
  await other.getByLabel('Subtitle').fill('Of the other one')
  await expect(other.getByRole('alert')).toContainText('What you typed is still here.')
  await other.getByRole('button', { name: 'Load the other version' }).click()
  await expect(other.getByLabel('Subtitle')).toHaveValue('Mine')
  await other.getByLabel('Subtitle').fill('Of both')
  await isSaved(other)
  await context.close()

  await page.context().setOffline(true)
  await page.getByLabel('Subtitle').fill('Typed without a connection')
  await expect(page.getByText(/^Not saved yet: You are offline/)).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again now' }).click()
  await page.getByRole('button', { name: 'Replace it with my version' }).click()
  await isSaved(page)
  await page.reload()
  await expect(page.getByLabel('Subtitle')).toHaveValue('Typed without a connection')
  expect(refusals(complaints).length).toBeGreaterThan(1)
})

test('an author shows legal pages; a buyer agrees to instant delivery, and finds it in the receipt', async ({
  page,
  shop,
}) => {
  const admin = await enterAdmin(page, shop, '/admin/book')
  await openPart(page, 'Promises and rating')
  await page.getByLabel('Show a rating').uncheck()
  await openPart(page, 'Legal pages')
  for (const name of ['Terms', 'Privacy', 'Imprint']) await page.getByLabel(`Show a page: ${name}`).check()
  await page.getByLabel('I sell to consumers in the EU: ask for their consent').check()
  await page.getByLabel('Name of the seller').fill('A Small Press')
  await page.getByLabel('Postal address').fill('1 Some Street\n12345 Town')
  await page.getByLabel('Email address for legal questions').fill('press@example.com')
  await page.getByLabel('Country whose law applies').fill('Ireland')
  await isSaved(page)
  await expect(page.getByText('Still to be filled in below: Who runs the server.')).toBeVisible()
  const imprint = page.getByText('Title and words of Imprint')
  await imprint.click()
  const words = page.getByLabel('Words of Imprint', { exact: true })
  const template = await words.inputValue()
  await words.fill(`${template}\n\n{land}`)
  await publishButton(page).click()
  await expect(page.getByText('Please fill this in: the page “Privacy” shows it.')).toBeVisible()
  const unknown = page.getByText('{land} is none of the blanks that are filled in.').filter({ visible: true })
  await expect(unknown).toHaveCount(1)
  await imprint.click()
  await expect(unknown).toHaveCount(1)
  await imprint.click()
  await words.fill(template)
  await page.getByLabel('Who runs the server').fill('a host in Ireland')
  await openPart(page, 'Chapters')
  await page.getByRole('button', { name: 'Privacy', exact: true }).click()
  await openPart(page, 'Legal pages')
  const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
  await expect(preview.getByText('The site and its data are kept by a host in Ireland.')).toBeVisible()
  await isSaved(page)
  await publish(page)
  await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()

  const email = await makeUser(shop)
  await enter(page, shop, email)
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible()
  await expect(page.getByText('The law of this country applies: Ireland.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible()
  await page.goto('/')

  const sales = page.locator('#book-sales')
  await expect(sales.getByText('Before you buy, please read:')).toBeVisible()
  await sales.getByRole('button', { name: /digital/i }).click()
  const question = page.getByRole('dialog', { name: 'Before you buy' })
  await question.getByRole('button', { name: 'Agree and buy' }).click()
  await expect(question.getByText(/^Please tick the box/)).toBeVisible()
  await expect(question.getByRole('checkbox')).toBeFocused()
  await question.getByRole('checkbox', { name: /I thereby lose my right of withdrawal/ }).check()
  await question.getByRole('button', { name: 'Agree and buy' }).click()
  await expect(page.getByText('Purchase Successful!')).toBeVisible()

  await page.getByRole('link', { name: /^Receipt for/ }).click()
  await expect(page.getByRole('article')).toContainText(
    /you agreed: “I expressly agree that the digital content/,
  )
  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('you agreed: “I expressly agree')

  const id = page.url().split('/').at(-1)!
  await saveSession(page, JSON.stringify(admin))
  await page.goto(`/admin/purchases/${id}/evidence`)
  await expect(page.getByRole('heading', { name: 'Consent to instant delivery' })).toBeVisible()
  await expect(page.getByText('I expressly agree that the digital content')).toBeVisible()
})

test('an author brings a cover, chooses colors, and visitors see both', async ({
  page,
  shop,
  complaints,
  chrome,
}) => {
  await enterAdmin(page, shop, '/admin/book')
  await openPart(page, 'Cover and colors')
  const isSaved = () => expect(page.getByText(/^Draft saved on .+ by /)).toBeVisible()
  const cover = page.getByRole('group', { name: 'Cover' }).first()
  const bring = (name: string, buffer: Buffer) =>
    cover.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })

  await bring('cover.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await expect(cover.getByRole('alert')).toContainText('Please choose a JPEG, PNG or WebP picture.')
  await bring('cover.png', await paint({ width: 900, height: 1350 }).png().toBuffer())
  await cover.getByLabel('Description of the cover').fill('A field at night')
  await expect(cover.getByAltText('A field at night')).toBeVisible()

  // A picture of one color gives its tint to the page.
  await expect(page.getByRole('radio', { name: 'Cover' })).toBeChecked()
  await isSaved()
  const preview = page.frameLocator('iframe[title="Preview of the page"]').last()
  const background = () => preview.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
  await expect.poll(background).not.toBe('rgb(250, 246, 238)')
  await page.getByRole('button', { name: 'Remove the cover' }).click()
  for (const title of titles) {
    await openPart(page, 'Title and description')
    await page.getByLabel('Title', { exact: true }).first().fill(title)
    await page.getByLabel('Subtitle').fill(title.slice(0, 120))
    await openPart(page, 'Cover and colors')
    const drawn = page.locator('figure .drawn-cover')
    await expect(drawn).toContainText(title.slice(-8).replaceAll("'", '’'))
    expect(
      await drawn.evaluate((node) =>
        [...node.querySelectorAll('.drawn-title, .drawn-title span, .drawn-author')]
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
          .concat(
            [...node.querySelectorAll('.drawn-title')].filter(
              (box) => box.scrollHeight > box.clientHeight + 1,
            ),
          )
          .map((box) => box.className),
      ),
      title,
    ).toEqual([])
  }
  await bring('cover.png', await paint({ width: 900, height: 1350 }).png().toBuffer())
  await cover.getByLabel('Description of the cover').fill('A field at night')
  await page.getByRole('radio', { name: 'Sage' }).check()
  await page.getByLabel('Custom accent color').check()
  await page.getByLabel('Accent', { exact: true }).fill('#e0c080')
  await expect(page.getByText('This color is too light to be read on the page')).toBeVisible()
  await page.getByRole('button', { name: /^Use #/ }).click()
  await expect(page.getByText('This color is too light')).toBeHidden()
  await isSaved()

  await openPart(page, 'Promises and rating')
  await page.getByLabel('Show a rating').uncheck()
  await isSaved()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Publish these changes?' })
  await question.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Visitors see version 1 now.')).toBeVisible()

  await page.goto('/')
  await expect(page.getByAltText('A field at night').first()).toBeVisible()
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  const social = await page.request.get(picture!)
  expect(social.headers()['content-type']).toBe('image/jpeg')
  expect(refusals(complaints)).toHaveLength(1)

  await using phone = await chrome.newContext({
    baseURL: shop.url,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
  })
  const visitor = await phone.newPage()
  const pictures: string[] = []
  visitor.on('request', (request) => {
    if (request.resourceType() === 'image') pictures.push(request.url().split('/').at(-1)!)
  })
  await visitor.goto('/', { waitUntil: 'load', timeout: 15_000 })
  expect(pictures.filter((name) => !/^icon-(32|192)\.png/.test(name)).toSorted()).toEqual([
    '320.webp',
    'mark.webp',
  ])
})

async function openPart(page: Page, name: string) {
  await page.getByRole('navigation', { name: 'Parts of the book' }).getByRole('button', { name }).click()
}

async function publish(page: Page) {
  await publishButton(page).click()
  const question = page.getByRole('dialog', { name: 'Publish these changes?' })
  await expect(question.getByText(/You may want to look at this first|no fault was found/)).toBeVisible()
  await question.getByRole('button', { name: 'Publish' }).click()
}
