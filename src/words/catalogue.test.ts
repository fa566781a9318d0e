import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  catalogue,
  isChangeable,
  maxLengthOf,
  placeholdersOf,
  shownTexts,
  textProblem,
  apiTexts,
  mailsTexts,
  pagesTexts,
  fixedNames,
  fixedReason,
} from './catalogue.ts'
import { authTexts } from './auth.ts'
import { accountEmailsTexts } from './account-emails.ts'
import { homeTexts } from './home.ts'
import { standardWording } from './texts.ts'
import { loadPageWording, loadWording, withTexts } from './wording.ts'

test('the catalogue has the texts of every file', async () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((name) => !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(import.meta.dirname, name))))
  const defined = modules.flatMap((each) =>
    Object.entries(Object(each)).flatMap(([name, value]) =>
      /^(?!pages|mails|api)\w+Texts$/.test(name) && typeof value === 'object' ? [value] : [],
    ),
  )
  expect(defined.length).toBeGreaterThan(15)
  expect(new Set(defined)).toEqual(new Set(Object.values({ ...pagesTexts, ...apiTexts, ...mailsTexts })))
  expect(catalogue.get('home.buy')).toBe('Buy')
  expect(catalogue.get('home.messageSent.title')).toBe('Message Sent Successfully!')
  expect(catalogue.get('accountEmails.link.signup.notes.0')).toMatch(/^The link works/)
})

test('a changed text is read wherever its text is read, also in lists and where it is copied', () => {
  const texts = {
    'home.buy': 'Kaufen',
    'auth.welcomeBack.title': 'Hallo!',
    'accountEmails.link.signup.notes.1': 'Eins',
  }
  withTexts({ ...standardWording, texts }, () => {
    expect(homeTexts.buy).toBe('Kaufen')
    expect({ ...authTexts.welcomeBack }).toEqual({
      title: 'Hallo!',
      description: 'You have successfully signed in.',
    })
    expect([...accountEmailsTexts.link.signup.notes]).toEqual([expect.stringMatching(/^The link/), 'Eins'])
  })
  expect(homeTexts.buy).toBe('Buy')
})

test('two pages that are made at the same time have their own words, and the admin area the standard ones', async () => {
  const read = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return homeTexts.buy
  }
  const of = (buy: string, isAdmin = false) =>
    withTexts({ ...standardWording, texts: { 'home.buy': buy }, isAdmin }, read)
  expect(await Promise.all([of('One'), of('Two'), of('Three', true), read()])).toEqual([
    'One',
    'Two',
    'Buy',
    'Buy',
  ])
})

test('every standard text passes its own check, and says each placeholder once', () => {
  for (const [key, standard] of catalogue) {
    expect(fixedReason(key) ? undefined : textProblem(key, standard), key).toBeUndefined()
    expect(new Set(placeholdersOf(standard)).size, key).toBe(placeholdersOf(standard).length)
  }
})

test.each([
  ['home.moreChapters.other', 'und {count} weitere', undefined],
  ['home.moreChapters.other', ' ', undefined],
  ['home.moreChapters.other', 'und weitere', /\{count\} is missing/],
  ['home.moreChapters.other', '{count} {count}', /only once/],
  ['home.moreChapters.other', '{count} von {total}', /\{total\} is not known.*\{count\}/],
  ['home.moreChapters.other', '{count} { }', /Braces/],
  ['home.buy', 'Kaufen {name}', /\{name\} is not known.*nothing/],
  ['home.buy', 'a\nb', /one line/],
  ['home.buy', 'x'.repeat(maxLengthOf('Buy') + 1), /at most 120/],
  ['home.buy', '<script>alert(1)</script>', undefined],
  ['buying.agree', 'Weiter', /cannot be changed/],
  ['home.unheardOf', 'x', /no such text/],
])('%s with %j', (key, text, problem) => {
  const found = textProblem(key, text)
  if (problem) expect(found).toMatch(problem)
  else expect(found).toBeUndefined()
})

test('each name of a fixed text stands for one, and such a text is never shown changed', async () => {
  for (const name of fixedNames) {
    const keys = [...catalogue.keys()].filter((key) =>
      name.endsWith('.') ? key.startsWith(name) : key === name,
    )
    expect(keys.length, name).toBeGreaterThan(0)
  }
  expect(isChangeable('home.buy')).toBe(true)
  expect(isChangeable('dashboard.refundQuestion')).toBe(false)
  const changed = {
    'home.buy': 'Kaufen',
    'home.send': '',
    'home.moreChapters.other': 'mehr',
    'dashboard.refundQuestion': 'No?',
    'old.key': 'x',
    'emails.receipt.title': 'Danke',
  }
  expect(shownTexts(changed)).toEqual({ 'home.buy': 'Kaufen', 'emails.receipt.title': 'Danke' })
  const book = { language: 'en', texts: changed }
  expect((await loadPageWording(book)).texts).toEqual({ 'home.buy': 'Kaufen' })
  expect((await loadWording(book)).texts).toEqual({ 'home.buy': 'Kaufen', 'emails.receipt.title': 'Danke' })
})
