// The button under each format.
import type { Product } from '#contract/products.ts'
import { Button } from '../../ui/button.tsx'

export function BuyButton({ label, look }: { product: Product; label: string; look: 'primary' | 'outline' }) {
  return (
    <Button look={look} className="w-full">
      {label}
    </Button>
  )
}
