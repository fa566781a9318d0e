// The button that opens the field for a discount code.
import { homeTexts } from '#words/home.ts'
import { Button } from '../../components/button.tsx'

type DiscountButtonProps = { isBusy: boolean; onOpen: () => void }

export function DiscountButton({ isBusy, onOpen }: DiscountButtonProps) {
  return (
    <p className="text-center noscript:hidden">
      <Button look="quiet" className="text-soft" data-busy={homeTexts.oneMoment} onClick={onOpen}>
        {isBusy ? homeTexts.oneMoment : homeTexts.haveCode}
      </Button>
    </p>
  )
}
