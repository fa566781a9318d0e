// The shop is open: who can open it, and what was skipped on the way.
import type { ReactNode } from 'react'
import { isSelling } from '#contract/catalog/products.ts'
import type { FirstSteps } from '#contract/setup/setup.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { StrongLink } from '../links.tsx'
import { hasMail, hasPayments, hasTimeZone } from './connections-step.tsx'
import { ReachCard } from './reach.tsx'
import { StateIcon, StepCard, type StepProps } from './step-card.tsx'

const sellingLead =
  'Order your book once yourself to see what your readers see: the email, the file, the receipt.'
const waitingLead = 'Your words, your products and your file have replaced the sample.'

function paymentsText({ payments, sale_mode }: FirstSteps): string {
  if (payments === 'test') return 'Payments use test keys: no card is charged.'
  return sale_mode === 'key_missing'
    ? 'This shop had a Stripe key once. Without one, it sells nothing.'
    : 'Your book is marked “Available soon”. It goes on sale once you connect Stripe.'
}

export function DoneStep(props: StepProps) {
  const { sale_mode } = props.firstSteps
  return (
    <StepCard title="Your shop is open" lead={isSelling(sale_mode) ? sellingLead : waitingLead}>
      <ReachCard />
      <ul aria-label="Not set yet" className="mt-5 grid gap-4 empty:hidden">
        {!hasMail(props) && (
          <Skipped title="Mail" action="Set up email" to="/admin/mails/settings?from=setup">
            The shop sends no email yet, so readers cannot confirm their accounts, and no receipt leaves it.
          </Skipped>
        )}
        {!hasPayments(props) && (
          <Skipped title="Payments" action="Set up payments" to="/admin/settings/payments?from=setup">
            {paymentsText(props.firstSteps)}
          </Skipped>
        )}
        {!hasTimeZone(props) && (
          <Skipped title="Time zone" action="Choose it" to="/admin/settings?from=setup">
            {`Days of sales begin at midnight in ${props.setup.time_zone.name}.`}
          </Skipped>
        )}
      </ul>
      <p className="mt-8 flex flex-wrap gap-3 max-sm:*:grow">
        <ButtonLink to="/">See your shop</ButtonLink>
        <ButtonLink to="/admin" look="outline">
          Go to the dashboard
        </ButtonLink>
      </p>
    </StepCard>
  )
}

type SkippedProps = { title: string; action: string; to: string; children: ReactNode }

function Skipped({ title, action, to, children }: SkippedProps) {
  return (
    <li className="flex gap-3">
      <StateIcon state="skipped" />
      <div className="min-w-0 grow">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-pretty text-soft">
          {children}{' '}
          <StrongLink to={to} className="whitespace-nowrap text-ink">
            {action}
          </StrongLink>
        </p>
      </div>
    </li>
  )
}
