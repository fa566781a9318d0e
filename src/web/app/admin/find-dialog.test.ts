import { expect, test } from 'vitest'
import siteMap from '#web/app/routes.ts'
import { findPlaces } from './find-dialog.tsx'

const titles = (query: string) => findPlaces(query).map(({ title }) => title)

test('a place is found by its title, by what else it is called, and by all words of the query', () => {
  expect(titles('ship')).toEqual(['Shipping', 'Shipping settings', 'Shipping'])
  expect(titles('SMTP')).toEqual(['Mail settings'])
  expect(titles('settings second factor')).toEqual(['Admins'])
  expect(titles('nothing of that name')).toEqual([])
})

test('every place that is named is there', () => {
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
  const patternOf = (path: string) => path.replace(/^\/admin\/help\/[\w-]+$/, '/admin/help/:name')
  expect(findPlaces('').filter(({ to }) => !paths.has(patternOf(to)))).toEqual([])
})
