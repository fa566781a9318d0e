// What runs the shop on a server: the systemd unit and Caddy's settings, where Debian's systemd and Caddy are installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { findFreePort } from '../find-free-port.ts'
import { startProcess, untilReady, type ChildProcess } from '../start-process.ts'

const root = join(import.meta.dirname, '../..')
const caddyfile = join(root, 'deploy/Caddyfile')
const isInstalled = (program: string, flag: string) => spawnSync(program, [flag]).error === undefined

test.skipIf(!isInstalled('systemd-analyze', '--version'))('systemd accepts the units', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-unit-'))
  const copies = ['lectern.service', 'lectern.socket'].map((name) => {
    const copy = join(folder.path, name)
    const unit = readFileSync(join(root, 'deploy', name), 'utf8')
    // systemd also looks whether the command exists, and here it is not installed.
    writeFileSync(copy, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    return copy
  })
  const verified = await startProcess('systemd-analyze', ['verify', ...copies]).ended
  expect(verified).toEqual({ code: 0, stdout: '', stderr: '' })
})

type Place = Record<'folder' | 'siteUrl' | 'shopPort' | 'httpPort' | 'httpsPort', string>

/** With a certificate of its own, which no browser trusts, and on ports that need no root. */
async function startCaddy({ folder, siteUrl, shopPort, httpPort, httpsPort }: Place): Promise<ChildProcess> {
  const config = join(folder, 'Caddyfile')
  const options = `skip_install_trust\nadmin off\nhttp_port ${httpPort}\nhttps_port ${httpsPort}`
  writeFileSync(config, `{\n${options}\n}\n${readFileSync(caddyfile, 'utf8')}`)
  const env = { SITE_URL: siteUrl, SHOP: `127.0.0.1:${shopPort}`, HOME: folder, XDG_DATA_HOME: folder }
  const args = ['--config', config, '--adapter', 'caddyfile']
  expect(await startProcess('caddy', ['validate', ...args], { env }).ended).toMatchObject({ code: 0 })
  return startProcess('caddy', ['run', ...args], { env })
}

function lectern({ folder, siteUrl, shopPort }: Place, command: string, ca: string): ChildProcess {
  const env = { SITE_URL: siteUrl, PORT: shopPort, HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') }
  return startProcess(process.execPath, [join(root, 'dist/server/lectern.js'), command], {
    env: { ...env, TRUST_PROXY: '1', NODE_EXTRA_CA_CERTS: ca },
  })
}

function get(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { ca: readFileSync(ca) }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

test.skipIf(!isInstalled('caddy', 'version'))(
  'behind Caddy the shop is reached by https, and a request during its restart waits',
  async () => {
    ensureBuilt()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-caddy-'))
    const [shopPort, httpPort, httpsPort] = [await port(), await port(), await port()]
    const siteUrl = `https://localhost:${httpsPort}`
    const place = { folder: folder.path, siteUrl, shopPort, httpPort, httpsPort }
    const ca = join(folder.path, 'caddy/pki/authorities/local/root.crt')
    await using caddy = await startCaddy(place)
    await expect.poll(() => existsSync(ca)).toBe(true)

    const first = lectern(place, 'start', ca)
    await untilReady(`http://127.0.0.1:${shopPort}/api/ready`, first)
    await expect.poll(() => get(siteUrl, ca).catch(() => undefined)).toBe(200)
    const { code, stdout } = await lectern(place, 'check', ca).ended
    expect([code, stdout.match(/^wrong.*/gm)]).toEqual([0, null])
    expect(stdout).toMatch(/^(ok|warn) +HTTPS: .* has a certificate for \d+ more days/m)

    await first.stop()
    const asked = get(`${siteUrl}/api/products`, ca)
    await using second = lectern(place, 'start', ca)
    expect(await asked).toBe(200)
    expect([caddy.isRunning(), second.isRunning()]).toEqual([true, true])
    await second.stop()
  },
)

/** A shop that says how it was asked, with a body of 2 kB, and closes no connection by itself. */
async function openEcho(type: (path: string) => string) {
  const closed: string[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const { url = '', method = '' } = incoming
    incoming.socket.once('close', () => closed.push(`${method} ${url}`))
    incoming.resume().once('end', () => {
      response.setHeader('content-type', type(url))
      response.end(JSON.stringify({ method, url, text: 'word '.repeat(400) }))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: portOf(server), closed, [Symbol.asyncDispose]: async () => void server.close() }
}

test.skipIf(!isInstalled('caddy', 'version'))(
  'Caddy compresses lists and nothing else, and closes an idle connection before the shop does',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-caddy-'))
    const type = (path: string) => (path.endsWith('.csv') ? 'text/csv' : 'application/json; charset=utf-8')
    await using shop = await openEcho(type)
    const [httpPort, httpsPort] = [await port(), await port()]
    const siteUrl = `http://localhost:${httpPort}`
    await using _caddy = await startCaddy({
      folder: folder.path,
      siteUrl,
      shopPort: String(shop.port),
      httpPort,
      httpsPort,
    })
    const encodingOf = async (path: string, init: RequestInit = {}, accepted = 'gzip') => {
      const response = await fetch(siteUrl + path, { ...init, headers: { 'accept-encoding': accepted } })
      expect([path, response.status]).toEqual([path, 200])
      await response.arrayBuffer()
      return response.headers.get('content-encoding')
    }
    await expect.poll(() => encodingOf('/api/health').catch(() => 'none yet')).toBe(null)
    for (const path of ['/api/admin/purchases?page=2', '/api/products', '/api/purchases', '/api/purchases/7'])
      expect([path, await encodingOf(path)]).toEqual([path, 'gzip'])
    const plain = [
      '/auth/v1/user',
      '/api/files/a.b',
      '/api/stripe/webhook',
      '/api/me',
      '/api/admin/sales.csv',
      '/',
    ]
    for (const path of plain) expect([path, await encodingOf(path)]).toEqual([path, null])
    expect(await encodingOf('/api/purchases', {}, 'identity')).toBe(null)
    const post = { method: 'POST', body: '{}' }
    for (const path of ['/api/purchases', '/auth/v1/token', '/api/admin/users'])
      expect([path, await encodingOf(path, post)]).toEqual([path, null])
    // Caddy's default would be two minutes.
    await expect.poll(() => shop.closed).toContain('POST /api/admin/users')
  },
)

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  return address.port
}

async function port(): Promise<string> {
  return String(await findFreePort())
}
