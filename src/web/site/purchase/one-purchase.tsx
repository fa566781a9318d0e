// An island: the server does not know the proof that opens the purchase.
import { useEffect, useRef } from 'react'
import { guestTexts } from '#words/guest.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { Spinner } from '../../components/button.tsx'
import { Container } from '../../components/section.tsx'
import { findProof, hasFragment } from '../../purchase/guest-purchases.ts'
import { readPurchase, takeReturn } from './read-purchase.ts'
import { readPathId, useLoaded } from '../../page/use-page.ts'
import { LoadFailed, PurchaseState, UnknownPurchase } from './purchase-state.tsx'

/** Most payments arrive within seconds; a bank may take days. */
const pauseMs = 2_000
const quickTries = 20
const longPauseMs = 20_000

type LoadedPurchase =
  | { state: 'found'; purchase: GuestPurchase; isLink: boolean }
  | { state: 'unknown'; isLink: boolean }
  | { state: 'failed' }

async function loadPurchase(): Promise<LoadedPurchase> {
  const id = readPathId()
  try {
    await takeReturn(id)
  } catch {
    return { state: 'failed' }
  }
  const held = findProof(id)
  if (!held) return { state: 'unknown', isLink: hasFragment() }
  const purchase = await readPurchase(id, held)
  const { isLink } = held
  if (purchase === 'failed') return { state: 'failed' }
  return purchase === 'unknown' ? { state: 'unknown', isLink } : { state: 'found', purchase, isLink }
}

export function OnePurchase() {
  const { loaded, reload } = useLoaded(loadPurchase)
  useAskAgain(loaded, reload)
  return (
    <Container isText className="py-12 sm:py-20">
      {!loaded && (
        <p role="status" className="flex items-center justify-center gap-3 py-24 text-soft">
          <span className="contents noscript:hidden">
            <Spinner />
          </span>
          {guestTexts.page}
        </p>
      )}
      {loaded?.state === 'found' && <PurchaseState {...loaded} reload={reload} />}
      {loaded?.state === 'unknown' && <UnknownPurchase isLink={loaded.isLink} />}
      {loaded?.state === 'failed' && <LoadFailed reload={reload} />}
    </Container>
  )
}

/** Asks again while the payment is awaited. */
function useAskAgain(loaded: LoadedPurchase | undefined, reload: () => Promise<void>): void {
  const tries = useRef(0)
  useEffect(() => {
    const isWaiting =
      loaded?.state === 'found' && loaded.purchase.status === 'pending' && !loaded.purchase.is_held
    if (!isWaiting) return undefined
    const ask = () => {
      tries.current += 1
      void reload()
    }
    const timer = setTimeout(ask, tries.current < quickTries ? pauseMs : longPauseMs)
    return () => clearTimeout(timer)
  }, [loaded, reload])
}
