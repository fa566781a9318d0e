import type { OwnPurchases } from '#features/purchases/contract/purchases.ts'

export function Stats({ totals }: Pick<OwnPurchases, 'totals'>) {
  return (
    <dl className="mb-12 grid gap-3 sm:grid-cols-3 sm:gap-4">
      <Stat name="Total Purchases" value={totals.purchases} />
      <Stat name="Digital Downloads" value={totals.digital} />
      <Stat name="Account Status" value="Active" />
    </dl>
  )
}

function Stat({ name, value }: { name: string; value: string | number }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-6 max-sm:flex max-sm:items-center max-sm:justify-between max-sm:px-5 max-sm:py-3">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="font-display text-2xl font-semibold tabular-nums sm:mt-1 sm:text-3xl">{value}</dd>
    </div>
  )
}
