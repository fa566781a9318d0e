// What components read of the page around them.
import { useSyncExternalStore } from 'react'
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
