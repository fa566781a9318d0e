import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Connection } from '#contract/operations/connection.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { Card } from '../../../components/card.tsx'
import { useRefresh } from '../use-refresh.ts'
import { CircleCheck } from '../icons.tsx'

/** The purchase is made in another tab. */
const refreshMs = 5_000

export function TestPurchase({ connection: { test_order: order } }: { connection: Connection }) {
  const isDone = order?.is_refunded === true
  useRefresh(!isDone, refreshMs)
  const number = order && formatOrderNumber(order.number)
  return (
    <Card title="Try it">
      <ol className="grid gap-4 px-5 py-5">
        <Step isDone={order !== null} title="Buy your own book">
          <a href="/#book-sales" target="_blank" rel="noreferrer" className="rounded-sm underline">
            Open the shop
          </a>{' '}
          and buy. Pay with the card 4242 4242 4242 4242, any later date and any three digits.
        </Step>
        <Step isDone={order?.is_paid === true} title="The payment arrives">
          {order?.is_paid ? `The shop has seen the payment of ${number}.` : 'The shop waits for it.'}
        </Step>
        <Step isDone={isDone} title="Refund it">
          {order?.is_paid && !isDone ? (
            <span>
              Open{' '}
              <Link to={`/admin/purchases/${order.id}`} className="rounded-sm underline">
                order {number}
              </Link>{' '}
              and refund all of it.
            </span>
          ) : (
            <span>{isDone ? `The shop has seen the refund of ${number}.` : 'After the payment.'}</span>
          )}
        </Step>
        <Step isDone={false} title="Paste the live key">
          {isDone ? 'All works. Paste the live key above to be paid.' : 'When the steps above are done.'}
        </Step>
      </ol>
    </Card>
  )
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      {isDone ? (
        <CircleCheck aria-hidden className="mt-px size-5 shrink-0 text-success" />
      ) : (
        <span aria-hidden className="mt-px size-5 shrink-0 rounded-full border-2 border-line" />
      )}
      <div className="min-w-0">
        <p className="font-semibold">
          {title}
          <span className="sr-only">{isDone ? ', done' : ', not done yet'}</span>
        </p>
        <p className="text-sm text-pretty text-soft">{children}</p>
      </div>
    </li>
  )
}
