// Says when what was bought, or the rest of it, comes out, and that its file is still to come.
import { lacksFile } from '#contract/catalog/preorder.ts'
import { formatDay } from '#contract/intl.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { useSendsMail } from '../../shop.ts'

type ReleaseNoteProps = { purchase: Purchase; className: string }

export function ReleaseNote({ purchase, className }: ReleaseNoteProps) {
  const { product, is_refundable, can_take_back } = purchase
  const sendsMail = useSendsMail()
  const { release } = product
  const { waits, partly, mailed, fileToCome, takeBack } = dashboardTexts.release
  const words: (string | false)[] = []
  if (lacksFile(product)) words.push(fileToCome)
  if (release)
    words.push(
      fill(release.is_partial ? partly : waits, { date: formatDay(release.on) }),
      sendsMail && mailed,
      (is_refundable || can_take_back) && takeBack,
    )
  if (words.length === 0) return null
  return <p className={`text-pretty text-soft ${className}`}>{words.filter(Boolean).join(' ')}</p>
}
