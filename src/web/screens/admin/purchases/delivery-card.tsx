import type { ReactNode } from 'react'
import type { OrderDetail } from '#contract/payments/orders.ts'
import { Time } from '../../../time.tsx'
import { Card } from '../../../components/card.tsx'
import { Check, type Icon } from '../../../components/icons.tsx'
import { Circle, CircleAlert } from '../icons.tsx'
import { eventsOf, verdictOf, type DeliveryEvent, type Look } from './delivery.ts'

const icons: Record<Look, Icon> = { good: Check, bad: CircleAlert, plain: Circle }
const colors: Record<Look, string> = { good: 'text-success', bad: 'text-danger', plain: 'text-soft' }

/** `children`: what the author can do about it. */
export function DeliveryCard({ purchase, children }: { purchase: OrderDetail; children: ReactNode }) {
  const { look, text } = verdictOf(purchase)
  return (
    <Card title="Delivery" action={children}>
      <p className="flex items-start gap-3 px-5 pt-4 font-semibold break-words">
        <Mark look={look} />
        <span className="min-w-0">{text}</span>
      </p>
      <ol className="grid gap-3 px-5 pt-4 pb-5">
        {eventsOf(purchase).map((event) => (
          <Event key={`${event.at} ${event.text}`} event={event} />
        ))}
      </ol>
    </Card>
  )
}

function Event({ event: { at, look, text, detail } }: { event: DeliveryEvent }) {
  return (
    <li className="grid gap-x-5 gap-y-0.5 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Time at={at} className="text-soft tabular-nums" />
      <span className="flex items-start gap-2 break-words">
        <Mark look={look} isSmall />
        <span className="min-w-0">
          {text}
          {detail && <span className="block text-danger">{detail}</span>}
        </span>
      </span>
    </li>
  )
}

function Mark({ look, isSmall = false }: { look: Look; isSmall?: boolean }) {
  const Shape = icons[look]
  return (
    <Shape
      aria-hidden
      className={`mt-0.5 shrink-0 ${isSmall ? 'size-4' : 'size-5'} ${colors[look]}`}
      strokeWidth={isSmall ? 1.75 : 2}
    />
  )
}
