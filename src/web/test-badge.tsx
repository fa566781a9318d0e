import { Badge } from './components/badge.tsx'

export function TestBadge({ isTest }: { isTest: boolean }) {
  return isTest ? <Badge look="toned">test</Badge> : null
}
