// The shop is open: where to go from here.
import { isSelling } from '#features/products/contract/sale-mode.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { StepCard } from './step-card.tsx'
import type { StepProps } from './step-props.ts'

const sellingLead =
  'Visitors see your book now. Buy it once yourself, to see what your readers see: the mail, the file, the receipt.'
const waitingLead =
  'Visitors see your book now, and that it is available soon. It is for sale once you have connected Stripe, under “Settings”, “Payments”.'

export function DoneStep({ firstSteps }: StepProps) {
  return (
    <StepCard title="Your shop is open" lead={isSelling(firstSteps.sale_mode) ? sellingLead : waitingLead}>
      <p className="flex flex-wrap gap-3">
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
