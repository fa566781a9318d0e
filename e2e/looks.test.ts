// The author's own cover and colors: brought, refused where they cannot be used, and seen on the page.
import { paint } from '#test/pictures.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { enterAdmin } from './users.ts'

test.use({ shopName: 'a shop with a cover and colors of its own' })

test('an author brings a cover, chooses colors, and visitors see both', async ({
  page,
  shop,
  complaints,
  chrome,
}) => {
  await enterAdmin(page, shop, '/admin/book')
  await page
    .locator('summary')
    .filter({ hasText: /^Cover and colors$/ })
    .click()
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
    await page.getByLabel('Title', { exact: true }).first().fill(title)
    await page.getByLabel('Subtitle').fill(title.slice(0, 120))
    const covers = page.locator('fieldset .drawn-cover')
    await expect(covers.first()).toContainText(title.slice(-8).replaceAll("'", '’'))
    expect(
      await covers.evaluateAll((all) =>
        all.flatMap((cover) =>
          [...cover.querySelectorAll('.drawn-title, .drawn-title span, .drawn-author')]
            .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
            .concat(
              [...cover.querySelectorAll('.drawn-title')].filter(
                (box) => box.scrollHeight > box.clientHeight + 1,
              ),
            )
            .map((box) => `${cover.getAttribute('data-style')}: ${box.className}`),
        ),
      ),
      title,
    ).toEqual([])
  }
  await page.getByRole('radio', { name: 'Frame' }).check()
  await expect(preview.locator('.book-front [data-style=frame]')).toBeVisible()
  await expectAccessible(page)
  await bring('cover.png', await paint({ width: 900, height: 1350 }).png().toBuffer())
  await cover.getByLabel('Description of the cover').fill('A field at night')
  await page.getByRole('radio', { name: 'Sage' }).check()
  await page.getByLabel('Custom accent color').check()
  await page.getByLabel('Accent', { exact: true }).fill('#e0c080')
  await expect(page.getByText('This color is too light to be read on the page')).toBeVisible()
  await page.getByRole('button', { name: /^Use #/ }).click()
  await expect(page.getByText('This color is too light')).toBeHidden()
  await isSaved()
  await expectAccessible(page)

  await page
    .locator('summary')
    .filter({ hasText: /^Promises and rating$/ })
    .click()
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
  await expectAccessible(page)
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
  expect(pictures.filter((name) => !name.startsWith('icon-32'))).toEqual(['320.webp'])
})

const titles = [
  'Home',
  'A Journal of the Plague Year, Being Observations or Memorials of the Most Remarkable Occurrences, as well Public as Private, which Happened in London during the Last Great Visitation in 1665',
  'Donaudampfschifffahrtsgesellschaftskapitänswitwenrente',
  'Οδύσσεια, ή πώς γύρισε κανείς στο σπίτι του ύστερα από είκοσι χρόνια',
  'Преступление и наказание: роман в шести частях с эпилогом',
  '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。',
  'ألف ليلة وليلة، أو حكايات شهرزاد التي روتها للملك شهريار كل مساء',
]
