// The shop is open: where to go from here.
import { ButtonLink } from '../../../components/button.tsx'
import { StepCard } from './step-card.tsx'

export function DoneStep() {
  return (
    <StepCard
      title="Your shop is open"
      lead="Visitors see your book now. Buy it once yourself, to see what your readers see: the mail, the file, the receipt."
    >
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
