// A database reached through a proxy, for faults of the connection to it.
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** `url` leads to a unix socket. */
export async function openDatabaseProxy(
  url: string,
): Promise<AsyncDisposable & { url: string; proxy: TcpProxy }> {
  const { username, password, pathname, searchParams } = new URL(url)
  const socket = `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5432}`
  const proxy = await openTcpProxy({ path: socket })
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${proxy.port}${pathname}`,
    proxy,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
