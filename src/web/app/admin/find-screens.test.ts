import { expect, test } from 'vitest'
import siteMap from '#web/app/routes.ts'
import { findScreens, helpSearch } from './find-screens.ts'

const titles = (query: string) => findScreens(query).map(({ title }) => title)

test('a screen is found by its title, by what else it is called, and by all words of the query', () => {
  expect(titles('ship')).toEqual(['Shipping', 'Shipping settings', 'Ship a parcel', 'Shipping'])
  expect(titles('SMTP')).toEqual(['Mail settings'])
  expect(titles('settings second factor')).toEqual(['Admins'])
  expect(titles('nothing of that name')).toEqual([])
})

test('a task is found by the words that an author has for it, and the help is the last answer', () => {
  expect(['pre-order', 'imprint', 'refund', 'change price', 'new edition'].map((q) => titles(q)[0])).toEqual([
    'Pre-order: set the day of release',
    'Imprint, terms and privacy policy',
    'Refund an order',
    'Change a price',
    'New edition: upload its file',
  ])
  expect(titles('forgot password')).toEqual([
    'Forgot password: help a reader sign in',
    'Change your password',
  ])
  expect(helpSearch(' a & b ')).toMatchObject({ to: '/admin/help?q=a%20%26%20b', hint: 'Help' })
})

test('a part of the book’s page is found by its title and by what authors call it', () => {
  const first = (query: string) => findScreens(query).find(({ hint }) => hint === 'Book page')
  expect(first('chapters')).toMatchObject({ to: '/admin/book?part=words' })
  expect(first('faq')).toMatchObject({ title: 'Questions and answers' })
  expect(first('isbn')).toMatchObject({ to: '/admin/book?part=facts' })
  // They come after what else is found, and not beside another way to the same part.
  expect(titles('packing slip')).toEqual(['Ship a parcel', 'Packing slip'])
  expect(titles('legal pages')).toEqual(['Imprint, terms and privacy policy'])
})

test('every screen that is named is there', () => {
  const paths = new Set<string>()
  const walk = (entries: typeof siteMap, above: string) => {
    for (const { path, index, children = [] } of entries) {
      const own = path === undefined ? above : `${above}/${path}`
      if (path !== undefined || index) paths.add(own || '/')
      walk(children, own)
    }
  }
  walk(siteMap, '')
  // Whether the pages of the help are there is tested beside them.
  const patternOf = (path: string) =>
    path.replace(/\?.*/, '').replace(/^\/admin\/help\/[\w-]+$/, '/admin/help/:name')
  expect(findScreens('').filter(({ to }) => !paths.has(patternOf(to)))).toEqual([])
})
