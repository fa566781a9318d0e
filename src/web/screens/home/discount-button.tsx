import { homeTexts } from '#words/home.ts'
import { Button } from '../../components/button.tsx'

type DiscountButtonProps = { isBusy: boolean; onOpen: () => void }

export function DiscountButton({ isBusy, onOpen }: DiscountButtonProps) {
  return (
    <p className="text-center">
      <Button look="quiet" className="text-soft" onClick={onOpen}>
        {isBusy ? homeTexts.oneMoment : homeTexts.haveCode}
      </Button>
    </p>
  )
}
