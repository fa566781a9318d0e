import { isSelling } from '#features/products/contract/sale-mode.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { StepCard, type StepProps } from './step-card.tsx'

const sellingLead =
  'Visitors see your book now. Order it once yourself to see what your readers see: the email, the file, the receipt.'
const waitingLead =
  'Visitors see your book now, marked “Available soon”. It goes on sale once you connect Stripe, under “Settings”, “Payments”.'

export function DoneStep({ firstSteps }: StepProps) {
  return (
    <StepCard title="Your shop is open" lead={isSelling(firstSteps.sale_mode) ? sellingLead : waitingLead}>
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
