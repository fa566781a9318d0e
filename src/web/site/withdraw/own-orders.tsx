// The orders that need no form: a session proves them, or the browser that bought them.
import { fill } from '#words/texts.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { ButtonLink, Link } from '../../components/button.tsx'
import { formatDate, Time } from '../../format/format.tsx'
import { readOwnPurchases } from '../purchase/read-purchase.ts'
import { useSession } from '../../session/use-session.ts'

export async function loadOrders(): Promise<GuestPurchase[]> {
  const { purchases } = await readOwnPurchases()
  return purchases.filter(({ refund_right }) => refund_right !== null)
}

export function OwnOrders({ orders }: { orders: readonly GuestPurchase[] }) {
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
