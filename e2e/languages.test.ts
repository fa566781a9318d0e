// Books in other languages and scripts: translated by the shop or by the browser, from right to left, and in which letters.
import { execFileSync } from 'node:child_process'
import type { CDPSession, Page } from '@playwright/test'
import { sampleBook } from '#content/sample-book.ts'
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { goToPay } from './guests.ts'
import { readTexts } from './own-words.ts'
import { addCode, payHere } from './paying.ts'
import { admin, expect, refusals, test, visitHydrated } from './shop.ts'
import { expectToast } from './toast.ts'
import { translate } from './translate.ts'
import {
  changeBook,
  createFindEnglish,
  createSay,
  findClipped,
  openIn,
  setDigitalPrice,
} from './translations.ts'
import { enter, enterAdmin, fillSignUp, makeUser, post, saveSession, signIn, someone } from './users.ts'

/** With a price in the money of the country. */
const languages = [
  { language: 'de', currency: 'EUR', price: 14.99, shown: '14,99\u00a0€' },
  { language: 'pl', currency: 'PLN', price: 59.9, shown: '59,90\u00a0zł' },
  { language: 'ja', currency: 'JPY', price: 1480, shown: '￥1,480' },
  { language: 'fr', currency: 'EUR', price: 14.99, shown: '14,99\u00a0€' },
  { language: 'es', currency: 'EUR', price: 14.99, shown: '14,99\u00a0€' },
  { language: 'pt', currency: 'BRL', price: 59.9, shown: 'R$\u00a059,90' },
  { language: 'it', currency: 'EUR', price: 14.99, shown: '14,99\u00a0€' },
  { language: 'nl', currency: 'EUR', price: 14.99, shown: '€\u00a014,99' },
]

const books = {
  en: {
    title: 'The Road',
    text: 'A road begins where someone goes.',
    heading: 'Fraunces',
    body: 'Inter',
    loads: ['fraunces-latin', 'inter-latin'],
  },
  pl: {
    title: 'Zażółć gęślą jaźń',
    text: 'Pchnąć w tę łódź jeża lub ośm skrzyń fig.',
    heading: 'Fraunces',
    body: 'Inter',
    loads: ['fraunces-latin', 'fraunces-latin-ext', 'inter-latin', 'inter-latin-ext'],
  },
  vi: {
    title: 'Truyện Kiều',
    text: 'Trăm năm trong cõi người ta, chữ tài chữ mệnh khéo là ghét nhau.',
    heading: 'Fraunces',
    body: 'Inter',
    loads: [
      'fraunces-latin',
      'fraunces-latin-ext',
      'fraunces-vietnamese',
      'inter-latin',
      'inter-latin-ext',
      'inter-vietnamese',
    ],
  },
  ru: {
    title: 'В начале было Слово',
    text: 'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    heading: 'Source Serif 4',
    body: 'Inter',
    loads: ['inter-cyrillic', 'inter-latin', 'source-serif-4-cyrillic', 'source-serif-4-latin'],
  },
  el: {
    title: 'Η πηγή της γνώσης',
    text: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.',
    heading: 'Source Serif 4',
    body: 'Inter',
    loads: ['inter-greek', 'inter-latin', 'source-serif-4-greek', 'source-serif-4-latin'],
  },
  ja: {
    title: '夢十夜と7つの物語',
    text: 'こんな夢を見た。腕組をして枕元に坐っていると、Kindleを持つ女が10分間静かな声で話した。',
    heading: 'Noto Serif CJK JP',
    body: 'Noto Sans CJK JP',
    loads: [],
  },
} as const

type Word = { word: string; isTitle: boolean; fonts: string[] }

for (const { language, currency, price, shown } of languages)
  test.describe(`in the language “${language}”`, () => {
    // The currency cannot be changed where something was sold.
    const shopName = `a shop of the language ${language}`
    test.use({ shopName, takesMoney: true, hasOwnBook: true, settings: { CURRENCY: currency } })
    const say = createSay(language)
    const findEnglish = createFindEnglish(language)

    async function expectTranslated(page: Page) {
      expect(findEnglish(await readTexts(page)), page.url()).toEqual([])
      await page.setViewportSize({ width: 360, height: 850 })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0)
      await page.setViewportSize({ width: 390, height: 850 })
      expect(await findClipped(page), page.url()).toEqual([])
      await page.setViewportSize({ width: 1360, height: 850 })
      expect(await findClipped(page), page.url()).toEqual([])
    }

    test('no page, email or receipt has an English text, no button is too small, and the book is bought', async ({
      page,
      shop,
      complaints,
    }) => {
      await openIn(shop, language)
      await setDigitalPrice(shop, price)
      for (const path of [
        '/',
        '/preview',
        '/terms',
        '/auth',
        '/nowhere',
        '/purchase/x',
        '/withdraw',
        '/dashboard',
      ]) {
        await page.goto(path)
        await expectTranslated(page)
      }
      refusals(complaints)
      await page.goto('/')
      await page.getByRole('button', { name: say('home.send') }).click()
      await expect(page.getByText(say('fields.required')).first()).toBeVisible()
      await page.getByRole('button', { name: say('home.haveCode') }).click()
      await page.getByLabel(say('buying.discountCode')).fill('NOTHING')
      await page.keyboard.press('Enter')
      await expect(page.getByText(say('refusals.discounts.not_valid'))).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
      await expectTranslated(page)

      await page.goto('/auth')
      await page.getByRole('button', { name: say('auth.forgot') }).click()
      await expectTranslated(page)
      await page.goto('/auth')
      await page.getByRole('tab', { name: say('auth.signUp') }).click()
      const form = page.getByRole('tabpanel', { name: say('auth.signUp') })
      await form.getByLabel(say('auth.email')).fill('nobody')
      await form.getByLabel(say('auth.password'), { exact: true }).fill('abc')
      await form.getByRole('button', { name: say('auth.signUp') }).click()
      await expect(page.getByText(say('fields.passwordTooShort', { min: '6' })).first()).toBeVisible()
      await expectTranslated(page)

      const email = someone()
      await page.goto('/')
      const label = say('formats.buy.digital')
      await page.locator('#book-sales').getByRole('button', { name: label }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('guest.email')).fill(email)
      await expectTranslated(page)
      await dialog.getByRole('button', { name: say('guest.continue') }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/purchase/*')
      await expect(page.getByRole('heading', { name: say('guest.thanks') })).toBeVisible()
      await expectTranslated(page)
      const mail = await shop.mailbox.to(email)
      for (const part of say('emails.receipt.opensBook', { date: '|' }).split('|'))
        expect(mail.text).toContain(part)
      expect(mail.html).toContain(`lang="${language}"`)
      expect(mail.text).toContain(shown)
      expect(findEnglish([mail.subject ?? '', ...(mail.text ?? '').split('\n')])).toEqual([])

      await enter(page, shop, await makeUser(shop))
      await page.goto('/')
      await page.locator('#book-sales').getByRole('button', { name: label }).click()
      await page.waitForURL('**/pay/cs_test_*')
      await payHere(page)
      await page.waitForURL('**/dashboard*')
      await expect(page.getByRole('link', { name: say('dashboard.yourReceipt') })).toBeVisible()
      await expectTranslated(page)
      await page.getByRole('link', { name: say('dashboard.yourReceipt') }).click()
      await expect(page.getByRole('heading', { name: say('receipt.receipt'), exact: true })).toBeVisible()
      await expect(page.getByRole('cell', { name: shown, exact: true }).last()).toBeVisible()
      await expectTranslated(page)
      for (const path of ['/dashboard', '/account', '/account/data']) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await expectTranslated(page)
      }
      await page.goto('/dashboard')
      await page.getByRole('button', { name: say('site.withdraw') }).click()
      await expectTranslated(page)
    })
  })

test.describe('of an own book', () => {
  test.use({ takesMoney: true, hasOwnBook: true })

  test('a book in Arabic: pages, the dialog of a purchase, the dashboard and the account', async ({
    page,
    shop,
  }) => {
    await openIn(shop, 'ar')
    for (const path of ['/', '/preview', '/terms', '/auth']) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      await expectMirrored(page)
    }
    await page.goto('/')
    await page.getByRole('button', { name: 'Buy Digital' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectMirrored(page)

    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await page.getByRole('button', { name: 'Buy Digital' }).click()
    await page.waitForURL('**/pay/cs_test_*')
    await payHere(page)
    await page.waitForURL('**/dashboard*')
    await expect(page.getByText('Purchase Successful!')).toBeVisible()
    await expectMirrored(page)
    await page.getByRole('link', { name: 'Your receipt', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Receipt', exact: true })).toBeVisible()
    await expectMirrored(page)
    await page.goto('/account')
    await expect(page.getByLabel('Display name')).toBeVisible()
    await expectMirrored(page)
  })

  test('a page that the browser translates: a message, a sign-up and a purchase by address work all the same', async ({
    page,
    shop,
    complaints,
  }) => {
    await translate(page)
    await page.goto('/')
    await expect(page.locator('font').first()).toBeAttached()
    const message = page
      .getByRole('form')
      .filter({ has: page.getByLabel('Message') })
      .or(page.locator('form:has(textarea)'))
    await message.getByLabel('Name').fill('Ruth')
    await message.getByLabel('Email').fill('nobody@nowhere')
    await message.getByLabel('Subject').fill('On the fourth word')
    await message.getByLabel('Message', { exact: true }).fill('Is protection a promise?')
    await message.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
    await message.getByLabel('Email').fill('ruth@example.com')
    await message.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
    await expect(message.getByRole('button', { name: 'Send Message' })).toBeEnabled()
    expect(refusals(complaints).length).toBeLessThanOrEqual(1)

    await page.goto('/auth')
    await fillSignUp(page, someone())
    await expect(page.getByText('Account Created!')).toBeVisible()
    const email = await makeUser(shop)
    await page.goto('/auth')
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password', { exact: true }).fill('a wrong password')
    await form.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByText('Sign In Failed')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText(/a link to a new password/)).toBeVisible()
    expect(refusals(complaints)).toHaveLength(1)
    await enter(page, shop, email)
    await page.goto('/account')
    await page.getByLabel('Display name').fill('Ruth Brook')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await expect(page.getByText('Name Saved')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save' }).first()).toBeEnabled()

    await page.goto('/preview')
    await expect(page.getByRole('heading').first()).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    const stranger = someone()
    await goToPay(page, stranger)
    await payHere(page)
    await page.waitForURL('**/purchase/*')
    await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ])
    expect(file.suggestedFilename()).toContain('.')
    const corrected = someone()
    await page.getByRole('button', { name: 'Correct the email address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(corrected)
    await dialog.getByRole('button', { name: 'Put it under this address' }).click()
    await expect(page.locator('main')).not.toContainText(stranger)
    await expect(page.locator('main')).toContainText(corrected)
    await page.goto('/find-purchase')
    await page.getByLabel('Your name').or(page.getByLabel('Name')).first().fill('Ruth')
    await page.getByLabel('Email').first().fill(stranger)
    await page.locator('form button[type=submit]').click()
    await expect(page.getByText(findPurchaseTexts.sent)).toBeVisible()
  })

  test('a page that the browser translates: a code changes the prices, and goes again', async ({
    page,
    shop,
  }) => {
    const thrown: Error[] = []
    page.on('pageerror', (error) => thrown.push(error))
    await addCode(shop, 'TRANSLATED')
    await translate(page)
    await page.goto('/?code=TRANSLATED')
    const price = page.locator('#book-sales li h3 + p').first()
    await expect(price).toHaveText('$13.49')
    await expect(page.locator('[data-code-line]')).toContainText('TRANSLATED')
    await page.getByRole('button', { name: 'Remove the code' }).click()
    await expect(price).toHaveText('$14.99')
    await expect(page.getByRole('button', { name: 'Have a discount code?' })).toBeVisible()
    expect(thrown).toEqual([])
  })
})

test('in a book of any script each word stands in one font, and a page loads no fonts that it does not need', async ({
  shop,
  chrome,
}) => {
  for (const [language, book] of Object.entries(books)) {
    const isMissing =
      language === 'ja' && execFileSync('fc-list', ['Noto Serif CJK JP', 'family']).length === 0
    // This machine does not have the fonts of fonts-noto-cjk.
    if (isMissing) continue
    await using context = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
    const page = visitHydrated(await context.newPage())
    await changeBook(shop, {
      language,
      title: book.title,
      product: '',
      words_title: '',
      blueprint: { ...sampleBook.blueprint, title: book.title, lead: book.text, text: book.text },
    })
    const loaded = new Set<string>()
    page.on('requestfinished', (request) => {
      const [, font] = /\/assets\/([\w-]+)-[\w-]{8}\.woff2$/.exec(request.url()) ?? []
      if (font) loaded.add(font)
    })
    for (const path of ['/', '/auth']) {
      await page.goto(path)
      await page.evaluate(() => document.fonts.ready)
      const words = await readWords(page)
      expect(words.length, path).toBeGreaterThan(20)
      const split = words.filter(({ fonts }) => fonts.length !== 1)
      expect(
        split.map(({ word, fonts }) => `${word}: ${fonts.join(', ')}`),
        path,
      ).toEqual([])
      const ofTitle = words.filter(({ isTitle }) => isTitle).flatMap(({ fonts }) => fonts)
      expect(new Set(ofTitle), path).toEqual(new Set([book.heading]))
      expect(new Set(words.flatMap(({ fonts }) => fonts))).toEqual(new Set([book.heading, book.body]))
    }
    expect([...loaded].toSorted()).toEqual(book.loads)
  }
})

test('at 390 px the links of a signed-in author stand in one line, each of one line', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 850 })
  for (const language of ['fr', 'es']) {
    await openIn(shop, language)
    await enterAdmin(page, shop, '/')
    const say = createSay(language)
    const header = page.getByRole('banner')
    const controls = [
      header.getByRole('link', { name: say('site.admin'), exact: true }),
      header.getByRole('link', { name: say('site.dashboard'), exact: true }),
      header.getByRole('button', { name: say('site.signOut') }),
    ]
    await expect(controls[0]!).toBeVisible()
    const boxes = await Promise.all(controls.map((control) => control.boundingBox()))
    expect(new Set(boxes.map((box) => `${box?.y} ${box?.height}`)).size, language).toBe(1)
    expect(boxes[0]?.height).toBe(44)
  }
})

test('the home page and the sign-in say in their language that an author has left the admin area', async ({
  page,
  shop,
  complaints,
}) => {
  await openIn(shop, 'de')
  const say = createSay('de')
  await enterAdmin(page, shop, '/admin')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText(say('site.signedOut'), { exact: true })).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)

  const session = await signIn(shop, admin)
  // Other sessions of this admin make accounts for the journeys that follow in this shop.
  await post(shop, '/auth/v1/logout?scope=local', {}, session.access_token)
  await saveSession(page, JSON.stringify(session))
  await page.goto('/admin')
  await expectToast(page, say('site.signedOut'), say('site.sessionEnded'))
  refusals(complaints)
})

/** Where the eye begins, at the right, stands what is first; what closes something stands at its other end. */
async function expectMirrored(page: Page) {
  for (const width of [390, 1360]) {
    await page.setViewportSize({ width, height: 850 })
    const place = `${page.url()} at ${width} px`
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), place).toBe(0)
    expect(await findClipped(page), place).toEqual([])
    expect(await page.evaluate(findWrongSides), place).toEqual([])
  }
}

/** Icons in a corner or a field, and columns of sums, that lie over words or on the side where words begin. */
function findWrongSides(): string[] {
  const corners = [...document.querySelectorAll('button.absolute, svg.absolute')].filter((element) =>
    element.checkVisibility(),
  )
  const inCorners = corners.filter((element) => {
    const own = element.getBoundingClientRect()
    const around = (element.parentElement ?? element).getBoundingClientRect()
    return own.left - around.left > around.right - own.right
  })
  const lists = [...document.querySelectorAll('th, td, dt, dd, p, li, h1, h2, h3')].filter(
    (element) => element.checkVisibility() && getComputedStyle(element).textAlign === 'left',
  )
  return [...inCorners, ...lists].map(
    (element) => `${element.tagName} ${element.getAttribute('class')} ${element.textContent}`,
  )
}

/** By what the browser says of each word of the page; of equal ones in equal letters, of one. */
async function readWords(page: Page): Promise<Word[]> {
  const words = await page.evaluate(markWords)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '[data-word]',
  })
  expect(nodeIds).toHaveLength(words.length)
  const fonts = await Promise.all(nodeIds.map((nodeId) => readFonts(session, nodeId)))
  await session.detach()
  return words
    .map(({ word, isTitle, isShown }, at) => ({ word, isTitle, isShown, fonts: fonts[at] ?? [] }))
    .filter(({ isShown }) => isShown)
}

async function readFonts(session: CDPSession, nodeId: number): Promise<string[]> {
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  return [...new Set(fonts.map(({ familyName }) => familyName))]
}

/** Puts each word into an element of its own. */
function markWords() {
  const texts: Text[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    const isText =
      currentNode.parentElement?.closest('script, style, noscript, svg, option, textarea') === null
    if (isText && currentNode instanceof Text) texts.push(currentNode)
  }
  const known = new Set<string>()
  return texts.flatMap((text) => {
    const parent = text.parentElement!
    const { fontFamily, fontWeight, fontSize } = getComputedStyle(parent)
    const isTitle = parent.closest('h1') !== null
    const pieces = text.data.split(/([\p{L}\p{M}\p{N}]*\p{L}[\p{L}\p{M}\p{N}]*)/u)
    const marked = pieces.map((piece, at) => {
      const key = [piece, fontFamily, fontWeight, fontSize, isTitle].join()
      if (at % 2 === 0 || known.has(key) || !parent.checkVisibility()) return new Text(piece)
      known.add(key)
      const word = document.createElement('span')
      word.dataset['word'] = ''
      word.append(piece)
      return word
    })
    text.replaceWith(...marked)
    return marked.flatMap((each) =>
      each instanceof HTMLElement
        ? [{ word: each.innerText, isTitle, isShown: each.getClientRects().length > 0 }]
        : [],
    )
  })
}
