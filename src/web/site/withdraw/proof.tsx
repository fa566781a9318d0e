// Islands: where the link of an acknowledgement leads. Opening it does nothing: mail scanners open links too.
import { useCallback, useState } from 'react'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { siteTexts } from '#words/site.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import type { ProvenDeclaration } from '#contract/orders/declarations.ts'
import type { Withdrawal } from '#contract/orders/purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { withdrawPath } from '#contract/paths.ts'
import { declaredWords, endedWords } from '../../purchase/acknowledgement.tsx'
import { api, ProblemError, responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { failure } from '../../notices/send.ts'
import { formatDate, formatMoney, formatWithZone, Time } from '../../format/format.tsx'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { useFragment, useLoaded } from '../../page/use-page.ts'
import { useBookFacts } from '../../shop.ts'
import { NothingHere } from '../not-found/nothing-here.tsx'

/** The page confirms an earlier declaration in a shop that offers no withdrawal. */
export function ProofOnly() {
  const token = useFragment()
  return token ? <Proof key={token} token={token} /> : <NothingHere />
}

type Order = ProvenDeclaration['orders'][number]

export function Proof({ token }: { token: string }) {
  const { loaded: declaration, reload } = useLoaded(useCallback(() => look(token), [token]))
  const [busy, setBusy] = useState<string>()
  const [effect, setEffect] = useState<Withdrawal | null>()

  async function confirm(purchase_id: string) {
    setBusy(purchase_id)
    try {
      const { withdrawal } = await responseOf(api.withdrawals.proof.$post({ json: { token, purchase_id } }))
      setEffect(withdrawal)
    } catch (error) {
      toast(failure(siteTexts.unexpected, error))
    }
    setBusy(undefined)
  }

  if (effect) return <Effect withdrawal={effect} />
  if (declaration === 'over')
    return (
      <Message title={withdrawTexts.over} text={withdrawTexts.overText} isAnswer>
        <Again label={siteTexts.withdraw} />
      </Message>
    )
  if (declaration === 'failed')
    return (
      <Message title={withdrawTexts.notLoaded} isAnswer>
        <Button onClick={() => void reload()}>{withdrawTexts.tryAgain}</Button>
      </Message>
    )
  if (!declaration) return <Message title={withdrawTexts.proofTitle} text={withdrawTexts.loading} />
  const { orders, state, withdrawal } = declaration
  // A request may have been refused since.
  if (withdrawal && withdrawal.right !== 'law') return <Effect withdrawal={withdrawal} />
  const isEffective = state === 'effective'
  const time = formatWithZone(declaration.declared_at)
  if (orders.length === 0)
    return (
      <Message
        title={isEffective ? withdrawTexts.effectTitle : withdrawTexts.none}
        text={fill(isEffective ? withdrawTexts.closedText : withdrawTexts.noneText, { time })}
        isAnswer
      >
        {isEffective ? <BackToBook /> : <Again label={withdrawTexts.again} />}
      </Message>
    )
  const hasRight = orders.some(({ right }) => right !== null)
  const { proofMany, proofText, proofLate, proofTitle, askTitle } = withdrawTexts
  const text = !hasRight ? proofLate : orders.length > 1 ? proofMany : proofText
  return (
    <Message title={hasRight ? proofTitle : askTitle} text={fill(text, { time })}>
      <ul className="grid w-full divide-y divide-line rounded-lg border border-line bg-surface text-start">
        {orders.map((order) => (
          <Row key={order.id} order={order} busy={busy} onConfirm={() => void confirm(order.id)} />
        ))}
      </ul>
    </Message>
  )
}

function Effect({ withdrawal }: { withdrawal: Withdrawal }) {
  const { legal } = useBookFacts()
  const title = withdrawal.right === 'law' ? withdrawTexts.effectTitle : dashboardTexts.refundAsked.promise
  return (
    <Message title={title} text={declaredWords(withdrawal, legal)} isAnswer>
      <BackToBook />
    </Message>
  )
}

function BackToBook() {
  return (
    <ButtonLink to="/" look="outline">
      {guestTexts.backToBook}
    </ButtonLink>
  )
}

type RowProps = { order: Order; busy: string | undefined; onConfirm: () => void }

function Row({ order, busy, onConfirm }: RowProps) {
  const { id, number, product_name, amount, currency, created_at, right, ended_right } = order
  const confirm = confirmWords(right)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="font-semibold break-words">{product_name}</p>
        <p className="mt-1 text-sm text-soft tabular-nums">
          {formatOrderNumber(number)} · <Time at={created_at} format={formatDate} /> ·{' '}
          {formatMoney(amount, currency)}
        </p>
        {right === null && (
          <p className="mt-2 text-sm text-pretty">
            {ended_right ? endedWords(ended_right) : withdrawTexts.periodOver}
          </p>
        )}
      </div>
      <Button
        look={right === null ? 'outline' : 'danger'}
        busy={busy === id}
        disabled={busy !== undefined}
        aria-label={`${confirm}: ${product_name}`}
        onClick={onConfirm}
      >
        {confirm}
      </Button>
    </li>
  )
}

function confirmWords(right: Order['right']): string {
  if (right === null) return withdrawTexts.askTitle
  return right === 'law' ? dashboardTexts.confirmWithdrawal : dashboardTexts.getMoneyBack
}

function Again({ label }: { label: string }) {
  return (
    <ButtonLink to={withdrawPath} look="outline">
      {label}
    </ButtonLink>
  )
}

async function look(token: string): Promise<ProvenDeclaration | 'over' | 'failed'> {
  try {
    return await responseOf(api.withdrawals.look.$post({ json: { token } }))
  } catch (error) {
    return error instanceof ProblemError && [403, 422].includes(error.status) ? 'over' : 'failed'
  }
}
