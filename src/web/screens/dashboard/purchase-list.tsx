// "Your Purchases", newest first; or why there is nothing to see.
import { BookOpen, CloudOff } from 'lucide-react'
import { useTransition, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import type { Purchase } from '#contract/purchases.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PurchaseRow } from './purchase-row.tsx'

type PurchaseListProps = { purchases: Purchase[] | undefined; countries: readonly string[] }

export function PurchaseList({ purchases, countries }: PurchaseListProps) {
  return (
    <section aria-labelledby="purchases">
      <h2 id="purchases" className="mb-5 font-display text-2xl font-semibold">
        Your Purchases
      </h2>
      {!purchases && <Failed />}
      {purchases?.length === 0 && (
        <Note icon={<BookOpen aria-hidden className="size-10" strokeWidth={1.25} />} title="No purchases yet">
          <p className="mt-2 text-soft">What you buy appears here, ready to be read.</p>
          <ButtonLink to="/#book-sales" className="mt-6">
            Browse Products
          </ButtonLink>
        </Note>
      )}
      {purchases && purchases.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {purchases.map((purchase) => (
            <PurchaseRow key={purchase.id} purchase={purchase} countries={countries} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Failed() {
  const { revalidate } = useRevalidator()
  // Over once what was asked for is shown: the router is ready as soon as it is asked for.
  const [isAsking, ask] = useTransition()
  return (
    <Note
      icon={<CloudOff aria-hidden className="size-10" strokeWidth={1.25} />}
      title="Your purchases could not be loaded"
    >
      <p className="mt-2 text-soft">They are safe; only the way to them is blocked for the moment.</p>
      <Button className="mt-6" disabled={isAsking} onClick={() => ask(() => revalidate())}>
        {isAsking ? 'Loading...' : 'Try again'}
      </Button>
    </Note>
  )
}

function Note({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center rounded-lg border border-line bg-surface px-6 py-14 text-center text-balance">
      <span className="text-gold-text">{icon}</span>
      <h3 className="mt-4 font-display text-xl font-semibold">{title}</h3>
      {children}
    </div>
  )
}
