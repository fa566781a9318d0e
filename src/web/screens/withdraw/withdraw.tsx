// Withdrawing from a contract without an account: by this browser's orders, by a form, or by the link of its acknowledgement.
import { dashboardTexts } from '#words/dashboard.ts'
import { siteTexts } from '#words/site.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import { fill } from '#words/fill.ts'
import { useState, type ReactNode, useEffect } from 'react'
import type { z } from 'zod'
import {
  declarationRequest,
  type DeclarationReceived,
  type ProvenDeclaration,
  type Withdrawal,
} from '#contract/orders/withdrawals.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { Acknowledgement, FactList, declaredWords } from '../../refund-button.tsx'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { formatUtc, formatDate, formatMoney, Time } from '../../format.tsx'
import { MessagePage } from '../../message-page.tsx'
import { useSession } from '../../use-session.ts'
import { toast } from '../../toasts.tsx'
import { useForm } from '../../form.ts'
import { bySchema } from '../../parse-form.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { Link, useLocation } from 'react-router'
import type { GuestPurchase } from '#contract/orders/guest-checkout.ts'
import { listEntries } from '../../guest-purchases.ts'
import { NotFound } from '../../site/not-found.tsx'
import { useHasWithdrawal } from '../../shop.ts'
import { readPurchase } from '../../read-purchase.ts'
import type { Route } from './+types/withdraw.ts'

// Step one shows what is declared, step two declares it: article 11a of Directive 2011/83/EU.

type Declared = z.output<typeof declarationRequest>

function DeclarationForm({ around }: { around: ReactNode }) {
  const [declared, setDeclared] = useState<Declared>()
  const [isChecked, setIsChecked] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>()
  const [received, setReceived] = useState<DeclarationReceived>()
  const [isBusy, setIsBusy] = useState(false)

  async function send(json: Declared) {
    setIsBusy(true)
    try {
      setReceived(await responseOf(api.withdrawals.$post({ json })))
    } catch (error) {
      const fields = error instanceof ProblemError ? error.fields : undefined
      setProblems(fields)
      if (fields) setIsChecked(false)
      else toast(failure(withdrawTexts.failed, error))
    }
    setIsBusy(false)
  }

  if (declared && received) return <Received declared={declared} received={received} />
  if (declared && isChecked)
    return (
      <MessagePage title={withdrawTexts.checkTitle} text={withdrawTexts.checkText} isAnswer>
        <div className="w-full rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
          <FactList facts={factsOf(declared)} />
        </div>
        <p className="flex flex-wrap justify-center gap-3">
          <Button look="outline" disabled={isBusy} onClick={() => setIsChecked(false)}>
            {withdrawTexts.change}
          </Button>
          <Button look="danger" busy={isBusy} disabled={isBusy} onClick={() => void send(declared)}>
            {isBusy ? withdrawTexts.sending : dashboardTexts.confirmWithdrawal}
          </Button>
        </p>
      </MessagePage>
    )
  return (
    <MessagePage title={siteTexts.withdraw} text={withdrawTexts.intro}>
      {around}
      <StepOne
        typed={declared}
        refused={problems}
        onCheck={(values) => {
          setDeclared(values)
          setIsChecked(true)
        }}
      />
    </MessagePage>
  )
}

const factsOf = ({ name, email, order }: Declared) =>
  [
    [withdrawTexts.name, name],
    [withdrawTexts.email, email],
    [withdrawTexts.order, order],
  ] as const

type StepOneProps = {
  typed: Declared | undefined
  refused: FieldProblems | undefined
  onCheck: (values: Declared) => void
}

function StepOne({ typed, refused, onCheck }: StepOneProps) {
  const email = useSession()?.user.email
  const { form, field } = useForm(bySchema(declarationRequest), onCheck, { refused })
  const of = (name: keyof Declared) => ({ ...field(name), defaultValue: typed?.[name] })
  return (
    <section className="w-full text-start">
      <h2 className="font-display text-2xl">{withdrawTexts.byForm}</h2>
      <p className="mt-2 text-pretty text-soft">{withdrawTexts.byFormText}</p>
      <form {...form} className="mt-6 grid gap-5">
        <Field label={withdrawTexts.name} autoComplete="name" maxLength={200} {...of('name')} />
        <Field
          label={withdrawTexts.email}
          hint={withdrawTexts.emailHint}
          type="email"
          autoComplete="email"
          {...of('email')}
          defaultValue={typed?.email ?? email}
        />
        <Field label={withdrawTexts.order} maxLength={300} {...of('order')} />
        <p>
          <Button type="submit">{withdrawTexts.next}</Button>
        </p>
      </form>
    </section>
  )
}

type ReceivedProps = { declared: Declared; received: DeclarationReceived }

function Received({ declared, received: { declared_at, is_mailed } }: ReceivedProps) {
  const { doneMailed, doneLater } = withdrawTexts
  return (
    <MessagePage
      title={withdrawTexts.done}
      text={fill(is_mailed ? doneMailed : doneLater, { email: declared.email })}
      isAnswer
    >
      <Acknowledgement facts={[[withdrawTexts.received, formatUtc(declared_at)], ...factsOf(declared)]} />
    </MessagePage>
  )
}

// Where the link of an acknowledgement leads. Opening it does nothing: mail scanners open links too.

type Order = ProvenDeclaration['orders'][number]

function Proof({ token }: { token: string }) {
  const { declaration, load } = useDeclaration(token)
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

  if (effect) {
    const title = effect.right === 'law' ? withdrawTexts.effectTitle : dashboardTexts.refundAsked.promise
    return <MessagePage title={title} text={declaredWords(effect)} isAnswer />
  }
  if (declaration === 'over')
    return (
      <MessagePage title={withdrawTexts.over} text={withdrawTexts.overText} isAnswer>
        <Again />
      </MessagePage>
    )
  if (declaration === 'failed')
    return (
      <MessagePage title={withdrawTexts.notLoaded} isAnswer>
        <Button onClick={() => void load()}>{withdrawTexts.tryAgain}</Button>
      </MessagePage>
    )
  if (!declaration) return <MessagePage title={withdrawTexts.proofTitle} text={withdrawTexts.loading} />
  const { orders, state } = declaration
  const isEffective = state === 'effective'
  const time = formatUtc(declaration.declared_at)
  if (orders.length === 0)
    return (
      <MessagePage
        title={isEffective ? withdrawTexts.effectTitle : withdrawTexts.none}
        text={fill(isEffective ? withdrawTexts.closedText : withdrawTexts.noneText, { time })}
        isAnswer
      >
        {!isEffective && <Again />}
      </MessagePage>
    )
  const hasRight = orders.some(({ right }) => right !== null)
  const { proofMany, proofText, proofLate } = withdrawTexts
  const text = !hasRight ? proofLate : orders.length > 1 ? proofMany : proofText
  return (
    <MessagePage title={withdrawTexts.proofTitle} text={fill(text, { time })}>
      <ul className="grid w-full divide-y divide-line rounded-lg border border-line bg-surface text-start">
        {orders.map((order) => (
          <Row key={order.id} order={order} busy={busy} onConfirm={() => void confirm(order.id)} />
        ))}
      </ul>
    </MessagePage>
  )
}

type RowProps = { order: Order; busy: string | undefined; onConfirm: () => void }

function Row({ order, busy, onConfirm }: RowProps) {
  const { id, number, product_name, amount, currency, created_at, right } = order
  const confirm = right === 'law' ? dashboardTexts.confirmWithdrawal : dashboardTexts.getMoneyBack
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="font-semibold break-words">{product_name}</p>
        <p className="mt-1 text-sm text-soft tabular-nums">
          {formatOrderNumber(number)} · <Time at={created_at} format={formatDate} /> ·{' '}
          {formatMoney(amount, currency)}
        </p>
        {right === null && <p className="mt-2 text-sm text-pretty">{withdrawTexts.periodOver}</p>}
      </div>
      {right !== null && (
        <Button
          look="danger"
          busy={busy === id}
          disabled={busy !== undefined}
          aria-label={`${confirm}: ${product_name}`}
          onClick={onConfirm}
        >
          {confirm}
        </Button>
      )}
    </li>
  )
}

function Again() {
  return (
    <ButtonLink to="/withdraw" look="outline">
      {withdrawTexts.again}
    </ButtonLink>
  )
}

function useDeclaration(token: string) {
  const [declaration, setDeclaration] = useState<ProvenDeclaration | 'over' | 'failed'>()
  const load = async () => setDeclaration(await look(token))
  useEffect(() => {
    look(token).then(setDeclaration, () => setDeclaration('failed'))
  }, [token])
  return { declaration, load }
}

async function look(token: string): Promise<ProvenDeclaration | 'over' | 'failed'> {
  try {
    return await responseOf(api.withdrawals.look.$post({ json: { token } }))
  } catch (error) {
    return error instanceof ProblemError && [403, 422].includes(error.status) ? 'over' : 'failed'
  }
}

/** The server does not know what this browser has bought, nor the fragment, which has the token. */
export async function clientLoader() {
  const read = location.hash
    ? []
    : await Promise.all(
        listEntries().map(({ purchase_id, proof }) => readPurchase(purchase_id, { proof, isLink: false })),
      )
  const orders = read.filter((each) => typeof each !== 'string')
  return { orders: orders.filter(({ refund_right }) => refund_right !== null) }
}

export function meta() {
  return [{ title: siteTexts.withdraw }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return useHasWithdrawal() ? (
    <MessagePage title={siteTexts.withdraw} text={withdrawTexts.intro} />
  ) : (
    <NotFound />
  )
}

export default function Withdraw({ loaderData: { orders } }: Route.ComponentProps) {
  const token = useLocation().hash.slice(1)
  const hasWithdrawal = useHasWithdrawal()
  if (token) return <Proof key={token} token={token} />
  return hasWithdrawal ? <DeclarationForm around={<Ways orders={orders} />} /> : <NotFound />
}

/** Those that need no form, because they prove the order. */
function Ways({ orders }: { orders: readonly GuestPurchase[] }) {
  const session = useSession()
  return (
    <>
      {session && (
        <div className="grid justify-items-center gap-4">
          <p className="text-pretty break-words">
            {fill(withdrawTexts.signedIn, { email: session.user.email ?? '' })}
          </p>
          <ButtonLink to="/dashboard">{withdrawTexts.openPurchases}</ButtonLink>
        </div>
      )}
      {orders.length > 0 && (
        <section className="w-full text-start">
          <h2 className="font-display text-2xl">{withdrawTexts.inBrowser}</h2>
          <p className="mt-2 text-pretty text-soft">{withdrawTexts.inBrowserText}</p>
          <ul className="mt-4 grid divide-y divide-line rounded-lg border border-line bg-surface">
            {orders.map(({ id, number, product, created_at }) => (
              <li key={id} className="p-5">
                <Link
                  to={`/purchase/${id}`}
                  className="rounded-sm font-semibold break-words underline underline-offset-4"
                >
                  {product.name}
                </Link>
                <p className="mt-1 text-sm text-soft tabular-nums">
                  {formatOrderNumber(number)} · <Time at={created_at} format={formatDate} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
