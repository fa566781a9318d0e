import type { ReactNode } from 'react'
import { StrongLink } from '../text-link.tsx'
import { Check } from '../../../components/icons.tsx'
import { Circle } from '../icons.tsx'
import { WithoutKey } from '../settings/without-key.tsx'
import { PagePreview } from './page-preview.tsx'
import { StepCard, StepButtons, type StepProps } from './step-card.tsx'

export function ConnectionsStep({ firstSteps, payments, choiceResult, isBusy, goTo }: StepProps) {
  const isDone = (wanted: string) => firstSteps.steps.some(({ name, is_done }) => name === wanted && is_done)
  return (
    <StepCard
      title="Mail and payments"
      lead="You can set up both now, or later under “Settings”. “First steps” on the dashboard brings you back here."
    >
      <ul className="grid gap-3">
        <Connection
          title="Mail"
          isDone={isDone('mail')}
          done="The shop sends its emails."
          open="Until then, nobody new can confirm an account: the shop writes its emails but keeps them. You can read them under “Emails”."
          action="Set up email"
          to="/admin/settings/mail?from=setup"
        />
        <Connection
          title="Payments"
          isDone={isDone('payments')}
          done="Buyers pay through Stripe."
          open={
            firstSteps.payments === 'test'
              ? 'Payments use test keys: no card is charged.'
              : firstSteps.sale_mode === 'key_missing'
                ? 'This shop had a Stripe key once. Without one, it sells nothing.'
                : 'Without Stripe, the shop takes no money.'
          }
          action="Set up payments"
          to="/admin/settings/payments?from=setup"
        >
          {firstSteps.payments === 'none' && firstSteps.sale_mode !== 'key_missing' && payments && (
            <div className="mt-4">
              <p className="mb-3 text-sm text-pretty text-soft">Until Stripe is connected, your book is:</p>
              <WithoutKey found={payments} result={choiceResult} />
            </div>
          )}
        </Connection>
      </ul>
      <PagePreview version={payments?.revision ?? 0} section="book-sales" />
      <StepButtons isBusy={isBusy} onBack={() => goTo('formats')} onNext={() => goTo('open')} />
    </StepCard>
  )
}

type ConnectionProps = {
  title: string
  isDone: boolean
  done: string
  open: string
  action: string
  to: string
  children?: ReactNode
}

function Connection({ title, isDone, done, open, action, to, children }: ConnectionProps) {
  const Icon = isDone ? Check : Circle
  return (
    <li className="flex gap-3 rounded-md border border-line p-4">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isDone ? 'text-success' : 'text-soft'}`} />
      <div className="min-w-0 grow">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-pretty text-soft">{isDone ? done : open}</p>
        {!isDone && (
          <p className="mt-2 text-sm">
            <StrongLink to={to}>{action}</StrongLink>
          </p>
        )}
        {children}
      </div>
    </li>
  )
}
