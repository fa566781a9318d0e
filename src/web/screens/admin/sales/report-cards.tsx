import type { ReportSums, SalesReport } from '#contract/operations/sales.ts'
import { StatCard } from '../../../components/card.tsx'
import { formatCount } from '../../../format.ts'
import { useFormatMoney } from '../../../money.tsx'
import { averageOrder, inPercent, share } from './labels.ts'

/** Each figure above that of the period before. */
export function ReportCards({ total, before }: Pick<SalesReport, 'total' | 'before'>) {
  const formatMoney = useFormatMoney()
  const money = (amount: number | null) => (amount === null ? '–' : formatMoney(amount))
  const refundRate = ({ refunded, gross }: ReportSums) => inPercent(share(refunded, gross))
  const paidRate = ({ paid, begun }: ReportSums) => inPercent(share(paid, begun))
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
      <StatCard name="Revenue" value={money(total.revenue)} hint={`Before: ${money(before.revenue)}`} />
      <StatCard name="Sold" value={formatCount(total.sold)} hint={`Before: ${formatCount(before.sold)}`} />
      <StatCard
        name="Average order"
        value={money(averageOrder(total))}
        hint={`Before: ${money(averageOrder(before))}`}
      />
      <StatCard
        name="Refund rate"
        value={refundRate(total)}
        hint={`${money(total.refunded)} of ${money(total.gross)}. Before: ${refundRate(before)}`}
      />
      <StatCard
        name="Checkouts paid"
        value={paidRate(total)}
        hint={`${formatCount(total.paid)} of ${formatCount(total.begun)} begun. Before: ${paidRate(before)}`}
      />
    </dl>
  )
}

export function CountedApart({ total: { free, tests } }: Pick<SalesReport, 'total'>) {
  if (free === 0 && tests === 0) return null
  const parts = [
    free > 0 && `${formatCount(free)} free ${free === 1 ? 'copy' : 'copies'}`,
    tests > 0 && `${formatCount(tests)} test ${tests === 1 ? 'order' : 'orders'}`,
  ]
  return (
    <p className="text-sm text-soft">
      Counted apart, and not in these figures: {parts.filter(Boolean).join(' and ')}.
    </p>
  )
}
