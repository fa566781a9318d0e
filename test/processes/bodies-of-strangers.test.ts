// Strangers who send much, and slowly: what they send is not kept, and their connections end.
import { mkdtempDisposable } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { findFreePort } from '../find-free-port.ts'
import { resetPeak, memoryOf } from '../memory-of.ts'
import { startProcess, untilReady } from '../start-process.ts'

const json = 'content-type: application/json\r\n'
const stripeTest = { STRIPE_SECRET_KEY: `sk_test_${'0'.repeat(24)}`, STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const routes: [route: string, headers: string][] = [
  ['PUT /api/admin/book/draft', json],
  ['POST /api/admin/users', json],
  ['POST /api/admin/uploads', 'tus-resumable: 1.0.0\r\nupload-length: 9000000\r\n'],
  ['POST /api/purchases', json],
  ['POST /api/contact', json],
  ['POST /api/stripe/webhook', json],
  ['POST /api/stripe/webhook', `${json}stripe-signature: t=1,v1=${'0'.repeat(64)}\r\n`],
  ['POST /auth/v1/token?grant_type=password', json],
  ['POST /functions/v1/admin-create-user', json],
]

/** Sends chunks for as long as the server takes them, and never the last. */
function flood(url: string, [route, headers]: [string, string], bytes: number): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const chunk = Buffer.concat([Buffer.from('4000\r\n'), Buffer.alloc(0x4000, 'x'), Buffer.from('\r\n')])
  let sent = 0
  const send = () => {
    while (sent < bytes && !socket.destroyed) {
      sent += 0x4000
      if (!socket.write(chunk)) {
        socket.once('drain', send)
        return
      }
    }
  }
  socket.once('connect', () => {
    socket.write(
      `${route} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers}transfer-encoding: chunked\r\n\r\n`,
    )
    send()
  })
  return socket
}

/** Until for a second nothing was taken of what they send, and no connection has ended. */
async function untilStill(strangers: readonly Socket[]): Promise<void> {
  const state = () => {
    const taken = strangers.map(({ bytesWritten, writableLength }) => bytesWritten - writableLength)
    return `${taken.join(' ')}, ${strangers.filter(({ closed }) => closed).length} closed`
  }
  for (let before = ''; before !== state();) {
    before = state()
    await sleep(1_000)
  }
}

async function serve(dataDir: string, databaseUrl: string) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const child = startProcess(process.execPath, ['test/serve-api.ts'], {
    env: {
      LOG_LEVEL: 'silent',
      SITE_URL: url,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      ...stripeTest,
    },
  })
  await untilReady(`${url}/api/ready`, child)
  return { ...child, url }
}

test('300 strangers who send bodies without an end cost at most 60 MB', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-strangers-'))
  await using database = await createTestDatabase()
  const shop = await serve(folder.path, database.url)
  await using stack = new AsyncDisposableStack()
  stack.defer(async () => void (await shop.stop('SIGKILL')))
  // Connections cost by themselves, and the first calls make the engine's heap grow.
  for (let round = 0; round < 2; round += 1) {
    const ordinary = Array.from({ length: 300 }, (_, n) => {
      const [method, path] = routes[n % routes.length]![0].split(' ')
      const headers = { 'content-type': 'application/json' }
      return fetch(`${shop.url}${path}`, { method: method!, headers, body: `{"x":"${'x'.repeat(10_000)}"}` })
    })
    await Promise.all(ordinary.map(async (response) => (await response).text()))
  }
  async function measure(chosen: typeof routes): Promise<number> {
    resetPeak(shop.pid)
    const before = memoryOf(shop.pid)
    const strangers = Array.from({ length: 300 }, (_, n) =>
      flood(shop.url, chosen[n % chosen.length]!, 4_000_000),
    )
    await untilStill(strangers)
    const cost = memoryOf(shop.pid, 'VmHWM') - before
    for (const stranger of strangers) stranger.destroy()
    await sleep(500)
    return cost
  }
  const costs: number[] = []
  for (const chosen of [routes, [routes[0]!], [routes[6]!]]) {
    // The smaller one of two: a peak of the engine's collector comes once, what is held of the bodies each time.
    costs.push(Math.min(await measure(chosen), await measure(chosen)))
  }
  expect(Math.max(...costs), costs.join(', ')).toBeLessThanOrEqual(60)
  expect((await fetch(`${shop.url}/api/ready`)).status).toBe(200)
})
