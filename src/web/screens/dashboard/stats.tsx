// The three figures above the purchases.
import type { Purchase } from '#contract/purchases.ts'

export function Stats({ purchases }: { purchases: Purchase[] }) {
  const digital = purchases.filter(({ product }) => product.is_digital).length
  return (
    <dl className="mb-12 grid gap-4 sm:grid-cols-3">
      <Stat name="Total Purchases" value={purchases.length} />
      <Stat name="Digital Downloads" value={digital} />
      <Stat name="Account Status" value="Active" />
    </dl>
  )
}

function Stat({ name, value }: { name: string; value: string | number }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-6">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="mt-1 font-display text-3xl font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
