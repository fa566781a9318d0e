import { type AdminProduct, lowStock } from '#contract/catalog/admin-products.ts'
import { formatCount } from '../../../format.ts'
import { Badge } from '../../../components/badge.tsx'

export function StockBadge({ product: { copies, is_sold_out } }: { product: AdminProduct }) {
  if (is_sold_out) return <Badge look="danger">sold out</Badge>
  if (copies === null) return null
  return <Badge look={copies <= lowStock ? 'toned' : 'plain'}>{formatCount(copies)} left</Badge>
}
