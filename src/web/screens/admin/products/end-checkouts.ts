import type { EndedAtOldPrice } from '#contract/payments/needs-attention.ts'
import type { Toast } from '../../../toasts.tsx'

export async function endCheckouts(
  endSome: () => Promise<EndedAtOldPrice>,
  onProgress: (done: number, left: number) => void,
): Promise<EndedAtOldPrice> {
  let all: EndedAtOldPrice = { ended: 0, paid: 0, kept: 0, failed: 0, left: Infinity }
  for (;;) {
    const more = await endSome()
    const isStuck = more.left >= all.left
    all = {
      ended: all.ended + more.ended,
      paid: all.paid + more.paid,
      kept: all.kept + more.kept,
      failed: all.failed + more.failed,
      left: more.left,
    }
    onProgress(all.ended + all.paid + all.kept, all.left)
    if (all.left === 0 || all.failed > 0 || isStuck) return all
  }
}

export function describeEnded({ ended, paid, kept, failed, left }: EndedAtOldPrice): Toast {
  const isComplete = failed === 0 && left === 0
  const parts = [
    `${ended} ended.`,
    paid > 0 && `${paid} paid before the page closed, and kept.`,
    kept > 0 && `${kept} not ended, because a payment is already on its way or waits for you.`,
    failed > 0 && 'The rest is still open, because Stripe did not respond. Please try again.',
    failed === 0 && left > 0 && `${left} still open. Please try again later.`,
  ]
  const description = parts.filter(Boolean).join(' ')
  return isComplete
    ? { title: 'Checkouts ended', description }
    : { title: 'Some checkouts are still open', description, destructive: true }
}
