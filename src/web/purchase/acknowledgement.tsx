// The words to a buyer about a withdrawal: that it was received, with its content and the time, to be kept; and what became of
// it.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import type { ReturnTerms } from '#contract/book/shown-book.ts'
import type { EndedRight, RefundRight, Withdrawal } from '#contract/orders/purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { Button } from '../components/button.tsx'
import { formatDate, formatWithZone } from '../format/format.tsx'
import { saveFile } from '../save-file.ts'

/** Says what became of a declaration. */
export function declaredWords(
  { declared_at, state, waits_for, refusal, right }: Withdrawal,
  returns: ReturnTerms,
): string {
  const { received, refused, refunded, partlyGiven, goingBack, stuck, waitsFor } = dashboardTexts
  const first = fill(right === 'law' ? received.law : received.promise, { date: formatDate(declared_at) })
  if (state === 'waiting' && waits_for === 'return')
    return [first, waitsFor.return, ...returnWords(returns, right)].join(' ')
  if (state === 'waiting') return `${first} ${waits_for ? waitsFor[waits_for] : ''}`
  if (state === 'refused') return `${first} ${fill(refused, { refusal: refusal ?? '' })}`
  if (state === 'given') return `${first} ${refunded}`
  if (state === 'partly') return `${first} ${partlyGiven}`
  return `${first} ${state === 'on_its_way' ? goingBack : stuck}`
}

/** Says when the right of the law has ended, and by what. */
export function endedWords({ at, is_waived }: EndedRight): string {
  return fill(is_waived ? withdrawTexts.waived : withdrawTexts.ended, { date: formatDate(at) })
}

/** Where the book goes, and at whose cost: a withdrawal by the law has the terms, and a promise says nothing of it. */
export function returnWords(
  { returns_to: address, says_return_cost }: ReturnTerms,
  right: RefundRight | null,
): string[] {
  const { returnAddress, returnCost } = dashboardTexts
  return [
    ...(says_return_cost && right === 'law' ? [returnCost] : []),
    ...(address === null ? [] : [fill(returnAddress, { address })]),
  ]
}

/** Confirms a withdrawal from an order that is known. */
export function acknowledgementOf(
  { declared_at }: Pick<Withdrawal, 'declared_at'>,
  { number, product }: { number: number; product: { name: string } },
): Facts {
  return [
    [withdrawTexts.received, formatWithZone(declared_at)],
    [
      withdrawTexts.declared,
      fill(dashboardTexts.withdrawing, { product: product.name, number: formatOrderNumber(number) }),
    ],
  ]
}

type Facts = readonly (readonly [name: string, value: string])[]

export function Acknowledgement({ facts }: { facts: Facts }) {
  return (
    <div className="grid w-full gap-5 rounded-lg border border-line bg-surface p-6 text-start sm:p-8 print:border-0 print:p-0">
      <FactList facts={facts} />
      <p className="flex flex-wrap gap-3 max-sm:*:grow print:hidden">
        <SaveAcknowledgement facts={facts} />
        <Button look="quiet" onClick={() => print()}>
          {withdrawTexts.print}
        </Button>
      </p>
    </div>
  )
}

export function FactList({ facts }: { facts: Facts }) {
  return (
    <dl className="grid gap-3">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function SaveAcknowledgement({ facts }: { facts: Facts }) {
  const lines = [withdrawTexts.done, '', ...facts.map(([name, value]) => `${name}\n${value}`), '']
  return (
    <Button
      look="outline"
      onClick={() => saveFile(`${withdrawTexts.fileName}.txt`, [...lines, location.origin, ''].join('\n'))}
    >
      {withdrawTexts.save}
    </Button>
  )
}
