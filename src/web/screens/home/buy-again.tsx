import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/fill.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'

type BuyAgainProps = { name: string; onAgain: () => void; onClose: () => void }

export default function BuyAgain({ name, onAgain, onClose }: BuyAgainProps) {
  return (
    <Dialog title={buyingTexts.ownedTitle} onClose={onClose}>
      <p className="mt-3 text-soft">{fill(buyingTexts.ownedText, { product: name })}</p>
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        <Button look="outline" onClick={onClose}>
          {buyingTexts.keepOne}
        </Button>
        <Button onClick={onAgain}>{buyingTexts.buyAnother}</Button>
      </div>
    </Dialog>
  )
}
