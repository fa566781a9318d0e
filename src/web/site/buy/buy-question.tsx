// The questions that the shop asks before it takes the order; loaded with the first one.
import type { Product } from '#contract/catalog/products.ts'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { Button, Link } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { LettersBox } from '../../forms/letters-box.tsx'
import { PaperFacts } from '../../product/eu-paper.tsx'
import { useBookFacts } from '../../shop.ts'
import { LegalLinks } from '../legal/legal-links.tsx'
import AskPlace from './ask-country.tsx'
import type { Answers, Place, Question } from './buy.ts'
import ConsentDialog from './consent-dialog.tsx'
import GuestDialog from './guest-dialog.tsx'

type BuyQuestionProps = {
  question: Question
  product: Product
  price: number
  code: string | undefined
  /** The place that was answered before. */
  place: Place | undefined
  /** The words of the author's letters, where their box was ticked before. */
  letters: string | undefined
  /** The box of the letters stands beside the place where no consent is asked before. */
  asksLetters: boolean
  onClose: () => void
  onAnswer: (more: Answers) => void
}

export default function BuyQuestion({
  question,
  product,
  price,
  code,
  place,
  letters,
  asksLetters,
  onClose,
  onAnswer,
}: BuyQuestionProps) {
  const { name, release } = product
  const { consent } = useBookFacts().legal
  if (question === 'email') return <GuestDialog {...{ product, price, code, onClose }} />
  if (question === 'again')
    return <BuyAgain name={name} onClose={onClose} onAgain={() => onAnswer({ again: true })} />
  if (question === 'consent')
    return consent === null ? null : (
      <ConsentDialog
        {...{ product, price, consent, onClose }}
        onAgreed={(words) => onAnswer({ consent, letters: words })}
      />
    )
  return (
    <AskPlace
      {...{ name, release, price, question, onClose }}
      entered={place}
      lettersBox={asksLetters && <LettersBox ticked={letters} />}
      onSubmitPlace={(next, words) =>
        onAnswer(asksLetters ? { place: next, letters: words } : { place: next })
      }
    >
      <PaperFacts product={product} />
    </AskPlace>
  )
}

type BuyAgainProps = { name: string; onAgain: () => void; onClose: () => void }

function BuyAgain({ name, onAgain, onClose }: BuyAgainProps) {
  return (
    <Dialog title={buyingTexts.ownedTitle} onClose={onClose}>
      <p className="mt-3 text-soft">{fill(buyingTexts.ownedText, { product: name })}</p>
      <p className="mt-3">
        <Link to="/dashboard" className="rounded-sm underline underline-offset-4">
          {guestTexts.openDashboard}
        </Link>
      </p>
      <LegalLinks opensTab className="mt-5 text-sm text-soft" />
      <div className="mt-7 flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Button look="outline" onClick={onClose}>
          {buyingTexts.keepOne}
        </Button>
        <Button onClick={onAgain}>{buyingTexts.buyAnother}</Button>
      </div>
    </Dialog>
  )
}
