// Ctrl+C on a shop at work, with its own PostgreSQL.
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { processesIn } from '../postgres-owner.ts'
import { startShop } from '../running-shop.ts'

beforeAll(() => ensureBuilt())

const message = JSON.stringify({
  name: 'Ruth',
  email: 'ruth@example.com',
  subject: 'Hello',
  message: 'Half said',
})

test('SIGINT lets what is under way finish, then closes the shop in order and leaves no process behind', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-interrupted-'))
  await using shop = await startShop(folder.path)
  expect(processesIn(join(folder.path, 'postgres'))).not.toEqual([])
  const half = request(`${shop.url}/api/contact`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(message),
      expect: '100-continue',
    },
  })
  const responded = once(half, 'response') as Promise<[IncomingMessage]>
  const begun = once(half, 'continue')
  half.write(message.slice(0, 20))
  await begun

  const stopped = shop.stop('SIGINT')
  const log = () => readFile(join(folder.path, 'server.log'), 'utf8')
  await expect.poll(log).toContain('SIGINT: finishing requests in flight')
  half.end(message.slice(20))
  const [response] = await responded
  response.resume()
  expect(response.statusCode).toBe(201)
  expect(await stopped).toBe(0)
  expect(await log()).toMatch(/SIGINT: finishing requests in flight[^]*The shop is closed/)
  expect(processesIn(join(folder.path, 'postgres'))).toEqual([])
})
