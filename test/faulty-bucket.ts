// A bucket behind a proxy that fails on demand.
import { openStorageAt } from '#platform/open-storage.ts'
import { openFaultyProxy } from './faulty-proxy.ts'
import type { TestStore } from './stores.ts'

/** Without a timeout of its own it waits as long as a shop does. */
export async function openFaultyBucket(opening: Promise<TestStore>, timeoutMs?: number) {
  await using undo = new AsyncDisposableStack()
  const store = undo.use(await opening)
  const url = new URL(store.url)
  const proxy = undo.use(await openFaultyProxy(url.searchParams.get('endpoint')!))
  url.searchParams.set('endpoint', proxy.endpoint)
  if (timeoutMs !== undefined) url.searchParams.set('timeout', String(timeoutMs / 1000))
  const stack = undo.move()
  return {
    proxy,
    url: url.href,
    storage: openStorageAt(url.href),
    /** Past the proxy. */
    direct: openStorageAt(store.url),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
