// The nginx configuration that docs/operations.md shows for several machines: which requests go to the other shop.
import { mkdtempDisposable } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasNginx, openNginx } from '../nginx.ts'

/** Two shops: the first request of all is lost with its connection, the others get a response. */
async function openShops() {
  const shops = [openShop(), openShop()] as const
  let isLost = false
  function openShop() {
    return createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          if (isLost) socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
          else socket.resetAndDestroy()
          isLost = true
        })
    })
  }
  const addresses = await Promise.all(
    shops.map(async (shop) => {
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
      return `127.0.0.1:${(shop.address() as AddressInfo).port}`
    }),
  )
  function close() {
    for (const shop of shops) shop.close()
  }
  return { addresses: addresses as [string, string], [Symbol.dispose]: close }
}

async function askOnce(path: string, init?: RequestInit): Promise<number> {
  using shops = await openShops()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-nginx-'))
  await using nginx = await openNginx(folder.path, shops.addresses)
  return (await fetch(nginx.url + path, init)).status
}

test.skipIf(!hasNginx)(
  'a request whose shop is lost goes to the other shop, a POST only where a repeated one does no harm',
  async () => {
    const post = (path: string, headers = {}) => askOnce(path, { method: 'POST', body: '{}', headers })
    const repeated = [
      askOnce('/'),
      askOnce('/api/purchases'),
      post('/api/purchases', { 'idempotency-key': 'a key' }),
      post('/api/purchases/an-id/download'),
      post('/auth/v1/token?grant_type=password'),
      post('/api/contact'),
    ]
    expect(await Promise.all(repeated)).toEqual(repeated.map(() => 200))
    const once = [post('/api/purchases'), post('/api/admin/users'), post('/functions/v1/admin-create-user')]
    expect(await Promise.all(once)).toEqual(once.map(() => 502))
  },
)
