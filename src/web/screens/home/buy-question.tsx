// What the shop asks before it takes the order; loaded with the first question.
import type { Product } from '#contract/catalog/products.ts'
import AskPlace from './ask-place.tsx'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/fill.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import type { BuyResponse } from './buy.ts'
import ConsentDialog from './consent-dialog.tsx'
import GuestDialog from './guest-dialog.tsx'

type BuyQuestionProps = {
  response: BuyResponse
  product: Product
  price: number
  code: string | undefined
  consent: string | null
  place: Record<string, string> | undefined
  onClose: () => void
  onAnswer: (more: Record<string, string>) => void
  onPlace: (place: Record<string, string>) => void
}

export default function BuyQuestion(props: BuyQuestionProps) {
  const { response, product, price, code, consent, place, onClose, onAnswer, onPlace } = props
  const { name, ships } = product
  if (response.asksEmail) return <GuestDialog {...{ product, price, code, consent, onClose }} />
  if (response.isOwned)
    return <BuyAgain name={name} onClose={onClose} onAgain={() => onAnswer({ again: 'yes' })} />
  if (response.asksConsent && consent)
    return (
      <ConsentDialog
        {...{ name, consent, onClose }}
        isBundle={ships}
        onAgreed={() => onAnswer({ consent })}
      />
    )
  if (!response.asks) return null
  return (
    <AskPlace
      {...{ name, price, onClose }}
      question={response.asks}
      entered={place}
      onSubmitPlace={onPlace}
    />
  )
}

type BuyAgainProps = { name: string; onAgain: () => void; onClose: () => void }

function BuyAgain({ name, onAgain, onClose }: BuyAgainProps) {
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
