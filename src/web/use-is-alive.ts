// Cached pages are the same for every query: what depends on the address is shown after hydration.
import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

export function useIsAlive(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
