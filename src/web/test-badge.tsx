import { controlsTexts } from '#words/controls.ts'
import { Badge } from './components/badge.tsx'

type TestBadgeProps = { order: { is_test: boolean; is_trial: boolean } }

export function TestBadge({ order: { is_test, is_trial } }: TestBadgeProps) {
  if (is_trial) return <Badge look="toned">{controlsTexts.trial}</Badge>
  return is_test ? <Badge look="toned">{controlsTexts.test}</Badge> : null
}
