// Step one shows what is declared, step two declares it: article 11a of Directive 2011/83/EU.
import { dashboardTexts } from '#words/dashboard.ts'
import { siteTexts } from '#words/site.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import { fill } from '#words/fill.ts'
import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { declarationRequest, type DeclarationReceived } from '#contract/orders/declarations.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { Acknowledgement, FactList } from '../../acknowledgement.tsx'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { formatUtc } from '../../format.ts'
import { MessagePage } from '../../message-page.tsx'
import { useSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { useCheckedForm } from '../../use-checked-form.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'

type Declared = z.output<typeof declarationRequest>

export function DeclarationForm({ around }: { around: ReactNode }) {
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
  const { form, field, problems, check } = useCheckedForm(declarationRequest)
  const of = (name: keyof Declared) => ({
    ...field(name),
    problem: (problems ?? refused)?.[name],
    defaultValue: typed?.[name],
  })
  return (
    <section className="w-full text-start">
      <h2 className="font-display text-2xl">{withdrawTexts.byForm}</h2>
      <p className="mt-2 text-pretty text-soft">{withdrawTexts.byFormText}</p>
      <form ref={form} noValidate className="mt-6 grid gap-5" onSubmit={check(onCheck)}>
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
