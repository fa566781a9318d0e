// Withdrawing from a contract without an account: by this browser's orders, by a form, or by the link of its acknowledgement.
import { siteTexts } from '#words/site.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import { fill } from '#words/fill.ts'
import { Link, useLocation } from 'react-router'
import type { GuestPurchase } from '#contract/orders/guest-checkout.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { formatDate } from '../../format.ts'
import { listEntries } from '../../guest-purchases.ts'
import { MessagePage } from '../../message-page.tsx'
import { PageNotFound } from '../../page-not-found.tsx'
import { useSession } from '../../session.ts'
import { useHasWithdrawal } from '../../shop.ts'
import { Time } from '../../time.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { readPurchase } from '../../read-purchase.ts'
import type { Route } from './+types/withdraw.ts'
import { DeclarationForm } from './declaration-form.tsx'
import { Proof } from './proof.tsx'

/** The server does not know what this browser has bought, nor the fragment, which has the token. */
export async function clientLoader() {
  const read = location.hash
    ? []
    : await Promise.all(
        listEntries().map(({ purchase_id, proof }) => readPurchase(purchase_id, { proof, isLink: false })),
      )
  const orders = read.filter((each) => typeof each !== 'string')
  return { orders: orders.filter(({ refund_right }) => refund_right !== null) }
}

export function meta() {
  return [{ title: siteTexts.withdraw }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return useHasWithdrawal() ? (
    <MessagePage title={siteTexts.withdraw} text={withdrawTexts.intro} />
  ) : (
    <PageNotFound />
  )
}

export default function Withdraw({ loaderData: { orders } }: Route.ComponentProps) {
  const token = useLocation().hash.slice(1)
  const hasWithdrawal = useHasWithdrawal()
  if (token) return <Proof key={token} token={token} />
  return hasWithdrawal ? <DeclarationForm around={<Ways orders={orders} />} /> : <PageNotFound />
}

/** Those that need no form, because they prove the order. */
function Ways({ orders }: { orders: readonly GuestPurchase[] }) {
  const session = useSession()
  return (
    <>
      {session && (
        <div className="grid justify-items-center gap-4">
          <p className="text-pretty break-words">
            {fill(withdrawTexts.signedIn, { email: session.user.email ?? '' })}
          </p>
          <ButtonLink to="/dashboard">{withdrawTexts.openPurchases}</ButtonLink>
        </div>
      )}
      {orders.length > 0 && (
        <section className="w-full text-start">
          <h2 className="font-display text-2xl">{withdrawTexts.inBrowser}</h2>
          <p className="mt-2 text-pretty text-soft">{withdrawTexts.inBrowserText}</p>
          <ul className="mt-4 grid divide-y divide-line rounded-lg border border-line bg-surface">
            {orders.map(({ id, number, product, created_at }) => (
              <li key={id} className="p-5">
                <Link
                  to={`/purchase/${id}`}
                  className="rounded-sm font-semibold break-words underline underline-offset-4"
                >
                  {product.name}
                </Link>
                <p className="mt-1 text-sm text-soft tabular-nums">
                  {formatOrderNumber(number)} · <Time at={created_at} format={formatDate} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
