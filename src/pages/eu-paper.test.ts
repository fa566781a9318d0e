// What a buyer in the European Union is shown with a book on paper: on its card, on its own page and in the dialog.
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeAll, expect, test } from 'vitest'
import { legalPages } from '#content/legal-pages.ts'
import type { BookDocument } from '#contract/book/book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { noticeUrl, type GuaranteeNotice } from '#contract/orders/eu-paper.ts'
import { withPages } from '#test/forms.ts'
import { openGuestShop } from '#test/guests.ts'
import { publishBook } from '#test/legal.ts'
import { paint } from '#test/pictures.ts'
import { saveGroup } from '#test/settings.ts'
import type { TestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'
import type { Person } from '#test/users.ts'
import { ensureBuilt } from '#tools/build.ts'
import { loadWording, withTexts } from '#words/wording.ts'
import type { IslandData } from '../web/site/page-data.tsx'

beforeAll(() => ensureBuilt())

const legal: BookDocument['legal'] = {
  ...legalPages,
  maker: 'Verlag Ahorn,\nHauptstraße 1,\n10115 Berlin\nbuch@ahorn.example',
  eu_person: 'Ina Weber, Lindenweg 2, 50667 Köln, ina@example.com',
}
const isbns = { digital: '9783161484100', paperback: '9783161484117', hardcover: '9783161484124' }

const maker = 'Hersteller: Verlag Ahorn, Hauptstraße 1, 10115 Berlin, buch@ahorn.example'
const person = 'Verantwortliche Person in der EU: Ina Weber, Lindenweg 2, 50667 Köln, ina@example.com'
const time = 'Lieferzeit: 3\u2060–\u20605 Arbeitstage'

async function openGermanShop(stripe: StripeStandIn, options: Parameters<typeof openGuestShop>[1] = {}) {
  const shop = await openGuestShop(stripe, { openPages: withPages, ...options })
  return Object.assign(shop, { admin: await shop.person({ role: 'admin' }) })
}

async function productOf({ services }: TestShop, format: string): Promise<Product> {
  const product = (await services.catalogue.get()).products.find((each) => each.format === format)
  if (!product) throw new Error(`there is no ${format}`)
  return product
}

const read = async (shop: TestShop, path: string) => (await shop.call('GET', path)).text()

/** As a browser shows it; React parts neighboring texts by comments. */
const plain = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const cardOf = (html: string, name: string) => {
  const cards = html.split('<li class="relative row-span-').slice(1)
  const card = cards.find((each) => each.includes(name.replaceAll("'", '&#x27;'))) ?? ''
  // Folded, below the button.
  return card.slice(0, card.indexOf('</details>'))
}

/** The dialog of a page, with the data that the page carries. */
async function dialogOf(shop: TestShop, format: string): Promise<string> {
  const html = await read(shop, '/')
  const json = /<script id="data"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  const data = JSON.parse(json) as IslandData
  // The build draws the sample's cover, which the page shows.
  const { default: GuestDialog } = await import('#web/site/buy/guest-dialog.tsx')
  const { WithData } = await import('../web/site/page-data.tsx')
  const product = await productOf(shop, format)
  const dialog = createElement(GuestDialog, {
    product,
    price: product.price,
    code: undefined,
    onClose: () => {},
  })
  const { document } = await shop.services.book.get()
  return withTexts(await loadWording(document), () => renderToString(WithData({ data, children: dialog })))
}

async function bring(shop: TestShop, admin: Person, content: Buffer, name: string, language = 'de') {
  const upload_id = await upload(shop, admin, content, name)
  return admin.call('PUT', '/api/admin/settings/shipping/notice', { body: { language, upload_id } })
}

test('a German buyer of paper is shown notice, maker, ISBN and delivery time on card, page and dialog', async () => {
  await using stripe = await startStripe()
  await using shop = await openGermanShop(stripe)
  const { admin } = shop
  const values = { countries: ['DE', 'US'], delivery_days_min: 3, delivery_days_max: 5 }
  expect(await saveGroup(admin, { revision: 0, values }, 'shipping')).toEqual({ status: 200 })
  expect((await publishBook(admin, { language: 'de', isbns, legal })).status).toBe(200)
  const content = await paint({ width: 1654, height: 2339, color: '#0b4f9e' }).png().toBuffer()
  const response = await bring(shop, admin, content, 'notice.png')
  expect(response.status).toBe(200)
  const { notice } = (await response.json()) as { notice: GuaranteeNotice }

  const { name } = await shop.product('paperback')
  const places = {
    card: cardOf(await read(shop, '/'), name),
    page: await read(shop, '/buy/paperback'),
    dialog: await dialogOf(shop, 'paperback'),
  }
  for (const [place, html] of Object.entries(places)) {
    const words = plain(html)
    for (const text of [maker, person, 'ISBN 9783161484117', time])
      expect(words, `${place}: ${text}`).toContain(text)
  }
  for (const html of [places.page, places.dialog]) {
    expect(html).toContain(`src="${noticeUrl(notice)}"`)
    expect(html).toMatch(/<img[^>]*alt="[^"]*gesetzliche Gewährleistungsrecht[^"]*"/)
  }
  const file = await shop.call('GET', noticeUrl(notice))
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true)

  const bundle = plain(cardOf(await read(shop, '/'), (await shop.product('bundle')).name))
  expect(bundle).toContain('ISBN 9783161484117 (Taschenbuch), ISBN 9783161484124 (Hardcover)')
  const digital = plain(await read(shop, '/buy/digital'))
  for (const text of [maker, person, time, 'ISBN 9783161484100']) expect(digital).not.toContain(text)
})
