// Finds the handlers of a request: Hono's router, with a cache of its results for addresses without parameters.
import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * The trie looks a path up among all routes anew for each request: a fifth of what `/api/products` takes. Hono's own
 * remedy, RegExpRouter, allows no `/factors/recovery-codes` beside `/factors/:id`, and auth-js calls both.
 */
export class CachingRouter<Handler> implements Router<Handler> {
  name = 'CachingRouter'
  readonly #trie = new TrieRouter<Handler>()
  readonly #methods = new Set<string>()
  /** By path and method, of those that were added: others, which callers invent, are not kept. */
  readonly #results = new Map<string, Map<string, Result<Handler>>>()

  add(method: string, path: string, handler: Handler): void {
    this.#trie.add(method, path, handler)
    this.#methods.add(method)
    if (!/[*:]/.test(path)) this.#results.set(path, new Map())
    for (const byMethod of this.#results.values()) byMethod.clear()
  }

  match(method: string, path: string): Result<Handler> {
    const byMethod = this.#methods.has(method) ? this.#results.get(path) : undefined
    const result = byMethod?.get(method) ?? this.#trie.match(method, path)
    byMethod?.set(method, result)
    return result
  }
}
