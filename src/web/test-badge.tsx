// Marks an order for which no money was taken, because it was made with a test key.
import { Badge } from './components/badge.tsx'

export function TestBadge({ isTest }: { isTest: boolean }) {
  return isTest ? <Badge look="toned">test</Badge> : null
}
