// The ways to an order whose link does not open it.
import { codePath } from '#contract/paths.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { ButtonLink } from '../components/button.tsx'
import { useSendsMail } from '../shop.ts'

export function WaysToOrder() {
  return (
    <p className="flex flex-wrap justify-center gap-3">
      {useSendsMail() && <ButtonLink to={codePath}>{guestTexts.getCode}</ButtonLink>}
      <ButtonLink to="/find-purchase" look="outline">
        {dashboardTexts.findPurchase}
      </ButtonLink>
    </p>
  )
}
