// One purchase, without an account: for the browser that bought it, and for whoever has the link of its receipt.
import { guestTexts } from '#words/guest.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import type { GuestPurchase } from '#contract/orders/guest-checkout.ts'
import { api, responseOf } from '../../api.ts'
import { download } from '../../downloads.tsx'
import { findProof } from '../../guest-purchases.ts'
import { declare } from '../../refund-button.tsx'
import { SiteFooter, SiteHeader } from '../../site-frame.tsx'
import { Container } from '../../components/container.tsx'
import { Spinner } from '../../components/button.tsx'
import type { Route } from './+types/purchase.ts'
import { LoadFailed, PurchaseState, UnknownPurchase } from './purchase-state.tsx'
import { readPurchase } from '../../read-purchase.ts'

/** Most payments arrive within seconds; a bank may take days. */
const pauseMs = 2_000
const quickTries = 20
const longPauseMs = 20_000
type LoadedPurchase =
  | { state: 'found'; purchase: GuestPurchase; isLink: boolean }
  | { state: 'unknown' }
  | { state: 'failed' }

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs): Promise<LoadedPurchase> {
  const held = findProof(id)
  if (!held) return { state: 'unknown' }
  const purchase = await readPurchase(id, held)
  return typeof purchase === 'string'
    ? { state: purchase }
    : { state: 'found', purchase, isLink: held.isLink }
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData()
  const proof = findProof(id)?.proof ?? ''
  const param = { id }
  if (form.get('intent') === 'refund') {
    await declare(form, (reason) =>
      responseOf(api.guest.purchases[':id'].refund.$post({ param, json: { proof, reason } })),
    )
    return null
  }
  await download(form, (purchase_id, file) =>
    responseOf(
      api.guest.purchases[':id'].download.$post({ param: { id: purchase_id }, json: { proof, ...file } }),
    ),
  )
  return null
}

/** A download changes nothing that is shown. */
export function shouldRevalidate({ formData }: { formData?: FormData }) {
  return formData === undefined || formData.has('intent')
}

export function meta() {
  return [{ title: guestTexts.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return (
    <Page>
      <p role="status" className="flex items-center justify-center gap-3 py-24 text-soft">
        <Spinner />
        {guestTexts.page}
      </p>
    </Page>
  )
}

export default function Purchase({ loaderData: found }: Route.ComponentProps) {
  useAskAgain(found.state === 'found' && found.purchase.status === 'pending' && !found.purchase.is_held)
  return (
    <Page>
      {found.state === 'found' && <PurchaseState purchase={found.purchase} isLink={found.isLink} />}
      {found.state === 'unknown' && <UnknownPurchase />}
      {found.state === 'failed' && <LoadFailed />}
    </Page>
  )
}

function Page({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Container isText className="py-12 sm:py-20">
          {children}
        </Container>
      </main>
      <SiteFooter />
    </>
  )
}

function useAskAgain(isWaiting: boolean): void {
  const { revalidate, state } = useRevalidator()
  const tries = useRef(0)
  useEffect(() => {
    if (!isWaiting || state !== 'idle') return undefined
    const ask = () => {
      tries.current += 1
      void revalidate()
    }
    const timer = setTimeout(ask, tries.current < quickTries ? pauseMs : longPauseMs)
    return () => clearTimeout(timer)
  }, [isWaiting, revalidate, state])
}
