// The hooks by which components read the page around them.
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Store } from './page-state.ts'

export function useStore<State>({ subscribe, get, first }: Store<State>): State {
  return useSyncExternalStore(subscribe, get, () => first)
}

const subscribe = () => () => {}

/** Pages of the server are the same for every query: what depends on the address is shown after hydration. */
export function useIsAlive(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}

/** The token of an email's link, which browsers send to no server; empty where there is none (page-shell.tsx). */
export function useFragment(): string {
  return useSyncExternalStore(followFragment, readFragment, () => '')
}

export function readFragment(): string {
  return document.documentElement.hasAttribute('data-linked') ? location.hash.slice(1) : ''
}

function followFragment(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** The id in the address of a page whose markup is the same for all of them. */
export function readPathId(): string {
  return location.pathname.split('/')[2] ?? ''
}

/** Loads what only the browser can ask for: undefined until it is there. `load` stays the same. */
export function useLoaded<Loaded>(load: () => Promise<Loaded>) {
  const [loaded, setLoaded] = useState<Loaded>()
  const reload = useCallback(async () => setLoaded(await load()), [load])
  useEffect(() => {
    void load().then(setLoaded)
  }, [load])
  return { loaded, reload }
}
