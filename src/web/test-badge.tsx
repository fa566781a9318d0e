import { controlsTexts } from '#words/controls.ts'
import { Badge } from './components/badge.tsx'

export function TestBadge({ isTest }: { isTest: boolean }) {
  return isTest ? <Badge look="toned">{controlsTexts.test}</Badge> : null
}
