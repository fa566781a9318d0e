// An island: "Your purchases" without an account, which this browser has bought, for as long as it can open them.
import { useCallback } from 'react'
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { formatMoney } from '#contract/money.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { ButtonLink, Link } from '../../components/button.tsx'
import { formatDate, Time } from '../../format/format.tsx'
import { Message } from '../../page/message.tsx'
import { readOwnPurchases } from './read-purchase.ts'
import { storedSession } from '../../session/session.ts'
import { useHasGuestCheckout, useSendsMail } from '../../shop.ts'
import { isCompleted } from '#contract/orders/purchase-status.ts'
import { Badge } from '../../components/note.tsx'
import { StatusBadge } from '../../purchase/status-badge.tsx'
import { useLoaded } from '../../page/use-page.ts'
import { codePath } from '#contract/paths.ts'
import { releaseWords } from './outcome.ts'
import { LoadFailed } from './purchase-state.tsx'

const signInPath = '/auth?next=/dashboard'

/** Undefined where the page is left, for `elsewhere` by who is not signed in. */
async function loadPurchases(elsewhere: string) {
  const own = storedSession() ? undefined : await readOwnPurchases()
  if (own && (own.purchases.length > 0 || own.hasFailed)) return own
  location.replace(own ? elsewhere : '/dashboard')
  return undefined
}

export function Purchases() {
  const sendsMail = useSendsMail()
  // A guest who has bought without an account knows no password.
  const elsewhere = useHasGuestCheckout() && sendsMail ? codePath : signInPath
  const load = useCallback(() => loadPurchases(elsewhere), [elsewhere])
  const { loaded, reload } = useLoaded(load)
  if (!loaded) return <Message title={dashboardTexts.page} />
  const { purchases, hasFailed } = loaded
  return (
    <Message title={dashboardTexts.page} text={guestTexts.inThisBrowser}>
      {hasFailed && <LoadFailed reload={reload} />}
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
    </Message>
  )
}

function Row({ purchase }: { purchase: GuestPurchase }) {
  const { id, number, product, status, amount, currency, created_at, withdrawal, is_withdrawn, is_held } =
    purchase
  // This browser has just forgotten it (read-purchase.ts), so its page would open nothing.
  const isForgotten = status === 'canceled' && !is_held
  const isEnding = isCompleted(status) && is_withdrawn && withdrawal !== null
  const release = status === 'completed' && !isEnding && releaseWords(purchase, false)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 p-5">
      <div className="min-w-0">
        {isForgotten ? (
          <span className="font-semibold break-words">{product.name}</span>
        ) : (
          <Link
            to={`/purchase/${id}`}
            className="rounded-sm font-semibold break-words underline underline-offset-4"
          >
            {product.name}
          </Link>
        )}
        <p className="mt-1 text-sm text-soft tabular-nums">
          {formatOrderNumber(number)} · <Time at={created_at} format={formatDate} /> ·{' '}
          {formatMoney(amount, currency)}
        </p>
        {isForgotten && (
          <p className="mt-1 text-sm text-pretty text-soft">
            {amount === 0 ? dashboardTexts.takenBack : guestTexts.canceledText}
          </p>
        )}
        {release && <p className="mt-1 text-sm text-soft">{release}</p>}
      </div>
      <p className="flex flex-wrap gap-2">
        <StatusBadge status={status} />
        {isEnding && (
          <Badge look="toned">
            {dashboardTexts.refundAsked[withdrawal.right === 'law' ? 'law' : 'promise']}
          </Badge>
        )}
      </p>
    </li>
  )
}
