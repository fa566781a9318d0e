// In place of a screen whose data could not be loaded.
import { Card } from './card.tsx'
import { Failed } from './failed.tsx'

export function LoadFailed({ card, title }: { card?: string; title: string }) {
  return (
    <Card title={card}>
      <Failed title={title} />
    </Card>
  )
}
