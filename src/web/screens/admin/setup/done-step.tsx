import { isSelling } from '#contract/catalog/sale-mode.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { StepCard, type StepProps } from './step-card.tsx'

const sellingLead =
  'Visitors see your book now. Order it once yourself to see what your readers see: the email, the file, the receipt.'
const mailLessLead =
  'Visitors see your book now. The shop sends no email yet: set it up under “Settings”, “Mail”, so that readers can confirm their accounts. Then order the book once yourself to see what they see.'
const waitingLead =
  'Visitors see your book now, marked “Available soon”. It goes on sale once you connect Stripe, under “Settings”, “Payments”.'

export function DoneStep({ firstSteps: { steps, sale_mode } }: StepProps) {
  const hasMail = steps.some(({ name, is_done }) => name === 'mail' && is_done)
  const lead = isSelling(sale_mode) ? (hasMail ? sellingLead : mailLessLead) : waitingLead
  return (
    <StepCard title="Your shop is open" lead={lead}>
      <p className="flex flex-wrap gap-3 max-sm:*:grow">
        <ButtonLink to="/" reloadDocument>
          See your shop
        </ButtonLink>
        <ButtonLink to="/admin" look="outline">
          Go to the dashboard
        </ButtonLink>
      </p>
    </StepCard>
  )
}
