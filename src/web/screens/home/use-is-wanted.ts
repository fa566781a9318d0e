import { useEffect, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { useIsAlive } from '../../use-is-alive.ts'
import { wantedIn } from '../../wanted-product.ts'

export function useIsWanted(product_id: string): boolean {
  const { search } = useLocation()
  return useIsAlive() && wantedIn(`/${search}`) === product_id
}

export function useLeadTo(button: RefObject<HTMLButtonElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const { pathname, search, hash } = location
    if (!isWanted || !wantedIn(pathname + search)) return
    // Not by the router, which would ask for the products anew. A reload does not lead there again.
    history.replaceState(history.state, '', pathname + hash)
    button.current?.focus({ preventScroll: true })
    button.current?.scrollIntoView({ block: 'nearest' })
  }, [button, isWanted])
}
