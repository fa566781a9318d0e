// The processes of the bench: the shop, and the servers that it is compared with.
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { productList } from '../src/contract/catalog/products.ts'
import { findFreePort } from '../test/find-free-port.ts'
import { resetPeak, memoryOf } from '../test/memory-of.ts'
import { endChildrenOnSignals, startProcess, untilReady, type ChildProcess } from '../test/start-process.ts'
import manifest from '../package.json' with { type: 'json' }

export const admin = { email: 'author@example.com', password: 'the author herself' }

const temporary = mkdtempDisposableSync(join(tmpdir(), 'lectern-bench-'))
process.on('exit', () => temporary.remove())
endChildrenOnSignals()

export function temporaryFolder(): Disposable & { path: string } {
  return mkdtempDisposableSync(join(temporary.path, 'data-'))
}

type Server = AsyncDisposable & { url: string; pid: number; readyMs: number }
export type Shop = Server & { dataDir: string; databaseUrl: string }

/** On a new data folder, which is removed with the shop, unless one is given. */
export async function startShop(dataDir?: string, extra: Record<string, string> = {}): Promise<Shop> {
  await using undo = new AsyncDisposableStack()
  const folder = dataDir ?? undo.use(temporaryFolder()).path
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    PORT: String(port),
    SITE_URL: url,
    DATA_DIR: folder,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...extra,
  }
  const start = () => startProcess('sh', ['-c', manifest.scripts.start], { env, stdout: 'ignore' })
  const server = undo.use(await serve(start, url, '/api/ready'))
  const cluster = join(folder, 'postgres/cluster')
  const password = readFileSync(join(folder, 'postgres/password'), 'utf8').trim()
  const stack = undo.move()
  return {
    ...server,
    dataDir: folder,
    databaseUrl: `postgres://lectern:${password}@localhost/postgres?host=${encodeURIComponent(cluster)}&port=5432`,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** A program of bench/baselines, which serves on the port it is given. */
export async function startBaseline(name: string, ...args: string[]): Promise<Server> {
  const port = await findFreePort()
  const program = join(import.meta.dirname, `baselines/${name}.ts`)
  const env = { NODE_COMPILE_CACHE: 'dist/compiled' }
  const start = () => startProcess(process.execPath, [program, String(port), ...args], { env })
  return serve(start, `http://127.0.0.1:${port}`, '/')
}

async function serve(start: () => ChildProcess, url: string, readyPath: string): Promise<Server> {
  const since = performance.now()
  const child = start()
  await untilReady(url + readyPath, child)
  const stop = async () => void (await child.stop())
  return { url, pid: child.pid, readyMs: performance.now() - since, [Symbol.asyncDispose]: stop }
}

export type Author = Awaited<ReturnType<typeof signIn>>

/** Calls the shop with the admin's session. */
export async function signIn({ url }: Shop) {
  const headers = { authorization: '', 'content-type': 'application/json' }
  async function call<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return schema.parse(await response.json())
  }
  const sessions = '/auth/v1/token?grant_type=password'
  const { access_token } = await call(z.object({ access_token: z.string() }), 'POST', sessions, admin)
  headers.authorization = `Bearer ${access_token}`
  const [product] = await call(productList, 'GET', '/api/products')
  return { call, headers, product_id: product?.id ?? '' }
}

/** Returns a function that says by how many MB memory has grown at its highest since `work` was done once. */
export async function watchMemory({ pid }: Server, work: () => Promise<unknown>): Promise<() => number> {
  await work()
  const before = memoryOf(pid)
  resetPeak(pid)
  return () => memoryOf(pid, 'VmHWM') - before
}
