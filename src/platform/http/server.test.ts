// Heads of requests as proxies, health checks and browsers with many cookies send them, and what idle connections do.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'

const siteUrl = 'https://books.example:8443'
const shop = await openTestShop({ env: { SITE_URL: siteUrl }, hasWorkers: false })

/** What comes back until the connection ends. */
async function send(...lines: string[]): Promise<{ status: number; response: string }> {
  const { hostname, port } = new URL(shop.url)
  const socket = connect(Number(port), hostname)
  socket.write([...lines, '', ''].join('\r\n'))
  const response = await text(socket)
  return { status: Number(response.split(' ')[1]), response }
}

const close = 'Connection: close'
const form = 'Content-Type: application/x-www-form-urlencoded'

test('a health check by HTTP/1.0 without Host is answered, by HTTP/1.1 it is refused', async () => {
  for (const path of ['/api/ready', '/api/products']) {
    expect([path, (await send(`GET ${path} HTTP/1.0`)).status]).toEqual([path, 200])
    expect([path, (await send(`GET ${path} HTTP/1.0`, 'Host:')).status]).toEqual([path, 200])
    expect([path, (await send(`GET ${path} HTTP/1.0`, 'Host: 10.0.0.7')).status]).toEqual([path, 200])
    expect([path, (await send(`GET ${path} HTTP/1.1`, close)).status]).toEqual([path, 400])
    expect([path, (await send(`GET ${path} HTTP/1.1`, 'Host:', close)).status]).toEqual([path, 400])
  }
})

test('a form without Host is of no page of the shop, whatever its Origin', async () => {
  const post = (version: string, ...headers: string[]) =>
    send(`POST /contact HTTP/${version}`, form, 'Content-Length: 0', close, ...headers)
  for (const origin of [siteUrl, shop.url, 'file:///', 'null']) {
    expect([origin, (await post('1.0', `Origin: ${origin}`)).status]).toEqual([origin, 403])
    expect([origin, (await post('1.0', 'Host:', `Origin: ${origin}`)).status]).toEqual([origin, 403])
  }
  // With both, it is: its fields are what is wrong with it.
  expect((await post('1.0', 'Host: books.example:8443', `Origin: ${siteUrl}`)).status).toBe(422)
})

test('cookies of 60 kB are taken, and more is refused by a page', async () => {
  const open = (bytes: number) =>
    send('GET /api/health HTTP/1.1', 'Host: books.example', `Cookie: a=${'x'.repeat(bytes)}`, close)
  expect((await open(60_000)).status).toBe(200)
  // Whether or not all of it has arrived when the limit is noticed.
  for (const bytes of [70_000, 400_000]) {
    const { status, response } = await open(bytes)
    expect([bytes, status]).toEqual([bytes, 431])
    const [head = '', body = ''] = response.split('\r\n\r\n')
    expect(head.toLowerCase()).toContain('content-type: text/html; charset=utf-8')
    expect(head.toLowerCase()).toContain("content-security-policy: default-src 'self'")
    expect(head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(body).toContain('the cookies of this site')
  }
})

test('what is no request of HTTP gets the status that it had from Node', async () => {
  expect((await send('HELLO')).status).toBe(400)
  const chunks = ['Transfer-Encoding: chunked', '', `1;${'x'.repeat(20_000)}`]
  expect((await send('POST /api/contact HTTP/1.1', 'Host: a', close, ...chunks)).status).toBe(413)
})

test('an idle connection stays for longer than the two minutes after which Caddy closes it', async () => {
  const { headers } = await shop.call('GET', '/api/health')
  expect(headers.get('keep-alive')).toBe('timeout=150')
})
