import { useEffect } from 'react'
import { notices } from '../../copy.ts'
import { toast } from '../../toasts.tsx'

export function useLeftCheckout(): void {
  useEffect(() => {
    const { pathname, search, hash } = location
    if (new URLSearchParams(search).get('checkout') !== 'canceled') return
    // Not by the router, which would ask for the products anew. A reload, or a way back, does not say it again.
    history.replaceState(history.state, '', pathname + hash)
    toast(notices.checkoutLeft)
  }, [])
}
