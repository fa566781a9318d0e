// An island. Step one shows what is declared, step two declares it: article 11a of Directive 2011/83/EU.
import { useRef, useState } from 'react'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { siteTexts } from '#words/site.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import type { DeclarationReceived } from '#contract/orders/declarations.ts'
import { withdrawPath } from '#contract/paths.ts'
import { Acknowledgement, FactList } from '../../purchase/acknowledgement.tsx'
import { api, ProblemError, responseOf } from '../../api.ts'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { failure } from '../../notices/send.ts'
import { readText, useForm } from '../../forms/form.ts'
import { formatWithZone } from '../../format/format.tsx'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { useFragment, useLoaded } from '../../page/use-page.ts'
import { randomId } from '../random-id.ts'
import { useSession } from '../../session/use-session.ts'
import { loadOrders, OwnOrders } from './own-orders.tsx'
import { Proof } from './proof.tsx'

export function Withdraw() {
  const token = useFragment()
  return token ? <Proof key={token} token={token} /> : <Declaration />
}

type Declared = { name: string; email: string; order: string }

function Declaration() {
  const { loaded: orders = [] } = useLoaded(loadOrders)
  const [declared, setDeclared] = useState<Declared>()
  const [isChecked, setIsChecked] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>()
  const [received, setReceived] = useState<DeclarationReceived>()
  const [isBusy, setIsBusy] = useState(false)
  /** One for all tries: it is declared once. */
  const key = useRef('')

  async function send(declaration: Declared) {
    setIsBusy(true)
    key.current ||= randomId()
    try {
      const json = { ...declaration, key: key.current }
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
      <Message title={withdrawTexts.checkTitle} text={withdrawTexts.checkText} isAnswer>
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
      </Message>
    )
  return (
    <Message title={siteTexts.withdraw} text={withdrawTexts.intro}>
      <OwnOrders orders={orders} />
      <StepOne
        typed={declared}
        refused={problems}
        onCheck={(values) => {
          setDeclared(values)
          setIsChecked(true)
        }}
      />
    </Message>
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

const check = byBrowser()

function StepOne({ typed, refused, onCheck }: StepOneProps) {
  const email = useSession()?.user.email
  const send = (entered: FormData) =>
    onCheck({
      name: readText(entered, 'name'),
      email: readText(entered, 'email'),
      order: readText(entered, 'order'),
    })
  const { form, field } = useForm(check, send, { action: withdrawPath, refused })
  const of = (name: keyof Declared) => ({ ...field(name), ...(typed && { defaultValue: typed[name] }) })
  return (
    <section className="w-full text-start linked:hidden">
      <h2 className="font-display text-2xl">{withdrawTexts.byForm}</h2>
      <p className="mt-2 text-pretty text-soft">{withdrawTexts.byFormText}</p>
      <form {...form} className="mt-6 grid gap-5">
        <Field label={withdrawTexts.name} autoComplete="name" maxLength={200} {...of('name')} />
        <Field
          label={withdrawTexts.email}
          hint={withdrawTexts.emailHint}
          type="email"
          autoComplete="email"
          defaultValue={email}
          {...of('email')}
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
    <Message
      title={withdrawTexts.done}
      text={fill(is_mailed ? doneMailed : doneLater, { email: declared.email })}
      isAnswer
    >
      <Acknowledgement
        facts={[[withdrawTexts.received, formatWithZone(declared_at)], ...factsOf(declared)]}
      />
    </Message>
  )
}
