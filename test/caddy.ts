// Caddy with deploy/Caddyfile before a shop, without https, where Caddy is installed.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from './find-free-port.ts'
import { startProcess, untilReady } from './start-process.ts'

const program = '/usr/bin/caddy'
export const hasCaddy = existsSync(program)
const site = join(import.meta.dirname, '../deploy/Caddyfile')

/** `shop` is its host and port. The shop has to run. */
export async function openCaddy(
  folder: string,
  { url, shop }: { url: string; shop: string },
): Promise<AsyncDisposable> {
  const file = join(folder, 'Caddyfile')
  await mkdir(folder, { recursive: true })
  await writeFile(file, `{\n\tadmin off\n}\nimport ${site}\n`)
  const env = { SITE_URL: url, SHOP: shop, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const server = startProcess(program, ['run', '--config', file, '--adapter', 'caddyfile'], { env })
  await untilReady(`${url}/api/ready`, server)
  return { [Symbol.asyncDispose]: async () => void (await server.stop()) }
}

export const findCaddyUrl = async () => `http://127.0.0.1:${await findFreePort()}`
