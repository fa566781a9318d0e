import { expect, test } from 'vitest'
import { isAppPath } from './app-paths.ts'
import routes from '../web/app/routes.ts'
import { sitePages } from '../web/site/pages.ts'

type Route = { path?: string | undefined; children?: Route[] | undefined }

/** With an id in each place of one. */
const filled = (path: string) => path.replaceAll(/:\w+/g, '7').replace(/\/?\*$/, '/rest')

const pathsOf = (all: readonly Route[], parent = ''): string[] =>
  all.flatMap(({ path, children = [] }) => {
    const whole = path ? `${parent}/${path}` : parent
    return [...(path ? [whole] : []), ...pathsOf(children, whole)]
  })

test('the app’s router takes the addresses of its own pages, and none of the site', () => {
  const paths = pathsOf(routes).filter((path) => path !== '/*')
  expect(paths).toContain('/purchase/:id/receipt')
  for (const path of paths) expect(isAppPath(filled(path)), path).toBe(true)
  for (const { path } of sitePages) expect(isAppPath(filled(path)), path).toBe(false)
})

test('an address that only begins as one of the app is none', () => {
  for (const path of ['/authors', '/purchases/7', '/purchase/7/receipts', '/x/auth'])
    expect(isAppPath(path), path).toBe(false)
})
