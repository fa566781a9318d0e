// What every buyer may count on.
import { Gift, Infinity as Lifelong, ShieldCheck, Truck, Zap } from 'lucide-react'
import { claims } from '#content/home.ts'

const icons = [ShieldCheck, Truck, Zap, Lifelong, Gift]

export function Claims() {
  return (
    <ul className="mx-auto mt-6 flex max-w-5xl flex-wrap justify-center gap-x-9 gap-y-4 max-sm:w-fit max-sm:flex-col">
      {claims.map((claim, index) => {
        const Icon = icons[index] ?? ShieldCheck
        return (
          <li key={claim} className="flex items-center gap-2.5">
            <Icon aria-hidden className="size-5 shrink-0 text-gold-text" />
            {claim}
          </li>
        )
      })}
    </ul>
  )
}
