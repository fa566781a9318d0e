// The shop is open: who can open it, and what was skipped on the way.
import type { ReactNode } from 'react'
import { isSelling } from '#contract/catalog/products.ts'
import type { Verdict } from '#contract/checks.ts'
import { describeVerdict } from '#contract/verdict-words.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { ActionLinks } from '../links.tsx'
import { hasMail, hasPayments, hasTimeZone } from './connections-step.tsx'
import { ReachCard } from './reach.tsx'
import { StateIcon, StepCard, type StepProps } from './step-card.tsx'

const sellingLead =
  'Order your book once yourself to see what your readers see: the email, the file, the receipt.'
const waitingLead = 'Your words, your products and your file have replaced the sample.'

export function DoneStep(props: StepProps) {
  const { sale_mode, checks } = props.firstSteps
  return (
    <StepCard title="Your shop is open" lead={isSelling(sale_mode) ? sellingLead : waitingLead}>
      <ReachCard />
      <ul aria-label="Not set yet" className="mt-5 grid gap-4 empty:hidden">
        {!hasMail(props) && checks.mail && <SkippedCheck title="Mail" check={checks.mail} />}
        {!hasPayments(props) && checks.payments && <SkippedCheck title="Payments" check={checks.payments} />}
        {!hasTimeZone(props) && (
          <Skipped title="Time zone" actions={[{ label: 'Choose it', to: '/admin/settings' }]}>
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

function SkippedCheck({ title, check }: { title: string; check: Verdict }) {
  return (
    <Skipped title={title} actions={check.actions}>
      {describeVerdict(check)}
    </Skipped>
  )
}

type SkippedProps = { title: string; actions: Verdict['actions']; children: ReactNode }

function Skipped({ title, actions, children }: SkippedProps) {
  return (
    <li className="flex gap-3">
      <StateIcon state="skipped" />
      <div className="min-w-0 grow">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-pretty text-soft [&_a]:whitespace-nowrap [&_a]:text-ink">
          {children} <ActionLinks actions={actions} isFromSetup />
        </p>
      </div>
    </li>
  )
}
