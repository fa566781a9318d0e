// The same handlers are found whether an address was asked for before or not.
import { expect, test } from 'vitest'
import { Hono, type Context } from 'hono'
import { CachingRouter } from './router.ts'

const readMatch = ({ req }: Context) => ({ path: req.routePath, id: req.param('id') ?? null })

function openApp() {
  const app = new Hono({ router: new CachingRouter() })
  app.use('/shop/*', (_, next) => next())
  app.get('/shop/factors/:id', (c) => c.json(readMatch(c)))
  app.get('/shop/factors/codes', (c) => c.json({ path: 'never first', id: null }))
  app.post('/shop/factors/codes', (c) => c.json(readMatch(c)))
  app.get('/shop/list', (c) => c.json(readMatch(c)))
  app.get('/a/:id?', (c) => c.json(readMatch(c)))
  return app
}

test.each([
  ['GET', '/shop/list', { path: '/shop/list', id: null }],
  ['HEAD', '/shop/list', null],
  ['GET', '/shop/factors/7', { path: '/shop/factors/:id', id: '7' }],
  ['GET', '/shop/factors/codes', { path: '/shop/factors/:id', id: 'codes' }],
  ['POST', '/shop/factors/codes', { path: '/shop/factors/codes', id: null }],
  ['GET', '/a', { path: '/a/:id?', id: null }],
  ['GET', '/a/7', { path: '/a/:id?', id: '7' }],
])('%s %s is found each time', async (method, path, body) => {
  const app = openApp()
  for (let time = 0; time < 3; time += 1) {
    const response = await app.request(path, { method })
    expect(response.status).toBe(200)
    expect(method === 'HEAD' ? null : await response.json()).toEqual(body)
    // Another one comes between.
    expect(await (await app.request('/shop/factors/8')).json()).toMatchObject({ id: '8' })
  }
  expect((await app.request('/shop/nowhere')).status).toBe(404)
  expect((await app.request(path, { method: 'DELETE' })).status).toBe(404)
})

test('only the result of a path without parameters, for a method that has routes, is remembered', () => {
  const router = new CachingRouter<string>()
  router.add('GET', '/list', 'list')
  router.add('GET', '/one/:id', 'one')
  const isRemembered = (method: string, path: string) =>
    router.match(method, path) === router.match(method, path)
  expect(isRemembered('GET', '/list')).toBe(true)
  expect([isRemembered('GET', '/one/1'), isRemembered('LOCK', '/list')]).toEqual([false, false])
})

test('a route that is added later is found at an address that was asked for before', () => {
  const router = new CachingRouter<string>()
  const handlers = (method: string) => router.match(method, '/list')[0].map(([handler]) => handler)
  router.add('GET', '/list', 'first')
  expect([handlers('GET'), handlers('POST')]).toEqual([['first'], []])
  router.add('POST', '/list', 'sent')
  router.add('ALL', '/*', 'second')
  expect([handlers('GET'), handlers('POST')]).toEqual([
    ['first', 'second'],
    ['sent', 'second'],
  ])
})
