// "Your purchases" without an account: what this browser has bought, for as long as it can open it.
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { Link, redirect } from 'react-router'
import type { GuestPurchase } from '#contract/orders/guest-checkout.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { formatMoney } from '#contract/money.ts'
import { formatDate, Time } from '../../format.tsx'
import { listEntries } from '../../guest-purchases.ts'
import { MessagePage } from '../../message-page.tsx'
import { storedSession } from '../../session.ts'
import { useSendsMail } from '../../shop.ts'
import { StatusBadge } from '../../status-badge.tsx'
import { ButtonLink } from '../../components/button.tsx'
import type { Route } from './+types/purchases.ts'
import { codePath } from './code-way.tsx'
import { LoadFailed } from './purchase-state.tsx'
import { readPurchase } from '../../read-purchase.ts'

const signInPath = '/auth?next=/dashboard'

export async function clientLoader() {
  if (storedSession()) return redirect('/dashboard')
  const read = await Promise.all(
    listEntries().map(({ purchase_id, proof }) => readPurchase(purchase_id, { proof, isLink: false })),
  )
  const purchases = read.filter((each) => typeof each !== 'string')
  const hasFailed = read.includes('failed')
  return purchases.length > 0 || hasFailed ? { purchases, hasFailed } : redirect(signInPath)
}

export function meta() {
  return [{ title: dashboardTexts.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return <MessagePage title={dashboardTexts.page} />
}

export default function Purchases({ loaderData: { purchases, hasFailed } }: Route.ComponentProps) {
  const sendsMail = useSendsMail()
  return (
    <MessagePage title={dashboardTexts.page} text={guestTexts.inThisBrowser}>
      {hasFailed && <LoadFailed />}
      <ul className="grid w-full divide-y divide-line rounded-lg border border-line bg-surface text-start">
        {purchases.map((purchase) => (
          <Row key={purchase.id} purchase={purchase} />
        ))}
      </ul>
      <p className="text-pretty text-soft">{guestTexts.boughtElsewhere}</p>
      <p className="flex flex-wrap justify-center gap-3">
        {sendsMail && <ButtonLink to={codePath}>{guestTexts.getCode}</ButtonLink>}
        <ButtonLink to={signInPath} look="outline">
          {guestTexts.signIn}
        </ButtonLink>
      </p>
    </MessagePage>
  )
}

function Row({
  purchase: { id, number, product, status, amount, currency, created_at },
}: {
  purchase: GuestPurchase
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 p-5">
      <div className="min-w-0">
        <Link
          to={`/purchase/${id}`}
          className="rounded-sm font-semibold break-words underline underline-offset-4"
        >
          {product.name}
        </Link>
        <p className="mt-1 text-sm text-soft tabular-nums">
          {formatOrderNumber(number)} · <Time at={created_at} format={formatDate} /> ·{' '}
          {formatMoney(amount, currency)}
        </p>
      </div>
      <StatusBadge status={status} />
    </li>
  )
}
