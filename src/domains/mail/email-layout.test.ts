// The direction in which a mail is written: that of the book's language.
import { expect, test } from 'vitest'
import { palettes } from '#contract/book/palettes.ts'
import { button, code, facts, link, paragraph, quotation } from './email-blocks.ts'
import { type MailBranding, renderEmail } from './email-layout.ts'

const branding = (language: string): MailBranding => ({
  siteUrl: 'https://books.example',
  title: 'A book',
  language,
  timeZone: 'UTC',
  author: 'Ruth Berger',
  is_own: true,
  colors: palettes.parchment,
  cover: { url: 'https://books.example/cover.jpg', height: 84 },
  authorEmail: 'author@books.example',
  returns: { returns_to: null, says_return_cost: false },
  replyTime: '',
})

async function mailIn(language: string): Promise<string> {
  const children = [
    paragraph('Words and ', link('a link', 'https://books.example')),
    code('123456'),
    quotation('What a reader wrote'),
    facts([['Order', '#1001']]),
    button('Open', 'https://books.example/dashboard'),
  ]
  return (await renderEmail({ title: 'Title', preview: '', branding: branding(language), children })).html
}

/** Each side that a style names, and the four of a padding or margin, are the other one. */
const mirrored = (mail: string) =>
  mail
    .replaceAll(/(?<=border-|padding-|margin-|text-align:)(?:left|right)/g, (side) =>
      side === 'left' ? 'right' : 'left',
    )
    .replaceAll(/((?:padding|margin):[\w]+) (\w+) (\w+) (\w+)(?=[;"])/g, '$1 $4 $3 $2')
    .replaceAll('dir="rtl"', 'dir="ltr"')

test('a mail of a book in Hebrew or Arabic is the mirror image of one in English', async () => {
  const english = await mailIn('en')
  expect(english).toContain('<html dir="ltr" lang="en">')
  expect(english).toContain('border-left:3px')
  for (const language of ['he', 'ar', 'fa', 'az-Arab']) {
    const mail = await mailIn(language)
    expect(mail).toContain(`<html dir="rtl" lang="${language}">`)
    // Mail programs that drop the document's own element keep its tables.
    expect(mail).toMatch(/<table[^>]*dir="rtl"/)
    expect(mirrored(mail).replace(`lang="${language}"`, 'lang="en"')).toBe(english)
  }
  expect(await mailIn('ku-Latn')).toContain('<html dir="ltr"')
})

test('in plain text the address of the shop follows its sentence, outside of any quotation marks', async () => {
  const mail = await renderEmail({ title: 'Title', preview: '', branding: branding('en'), children: [] })
  expect(mail.text).toMatch(/\nSent by the shop of A book\.\nhttps:\/\/books\.example$/)
})

test('each line of a fact keeps its own direction', async () => {
  const children = [facts([['Address', 'Ruth Berger\n10115 Berlin']])]
  const mail = await renderEmail({ title: 'Title', preview: '', branding: branding('he'), children })
  expect(mail.html).toContain('<bdi>Ruth Berger</bdi><br /><bdi>10115 Berlin</bdi>')
  expect(mail.text).toContain('Ruth Berger\n10115 Berlin')
})
