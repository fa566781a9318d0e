// The button under each format, and the questions before a second copy and before a parcel.
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { PostalAddress } from '#contract/postal.ts'
import type { Product } from '#contract/products.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { BuyAnswer } from './buy.ts'
import { useLeadTo } from './use-is-wanted.ts'

const AddressDialog = lazy(() => import('../../address-dialog.tsx'))

type BuyButtonProps = {
  product: Product
  label: string
  look: 'primary' | 'outline'
  /** It was chosen before the sign-in: the button is at hand then, and says so. */
  isWanted: boolean
}

export function BuyButton({ product, label, look, isWanted }: BuyButtonProps) {
  const noteId = useId()
  const button = useRef<HTMLButtonElement>(null)
  useLeadTo(button, isWanted)
  const fetcher = useFetcher<BuyAnswer>()
  const isBusy = fetcher.state !== 'idle'
  function buy(more: Record<string, string> = {}) {
    if (isBusy) return
    const ships = product.ships ? { ships: 'yes' } : undefined
    const form = { intent: 'buy', product_id: product.id, ...ships, ...more }
    // At once, so that the second half of a double click finds the button busy.
    void fetcher.submit(form, { method: 'post', flushSync: true })
  }
  // Not `disabled`, which would take the keyboard's place on the page away.
  return (
    <div className="self-end">
      {isWanted && (
        <p id={noteId} className="mb-3 text-center text-sm text-balance font-semibold text-gold-text">
          You chose this one. It is not bought yet.
        </p>
      )}
      <Button
        ref={button}
        look={look}
        className="w-full scroll-mb-24"
        aria-disabled={isBusy}
        aria-describedby={isWanted ? noteId : undefined}
        onClick={() => buy()}
      >
        {isBusy && <Spinner />}
        {isBusy ? 'Processing...' : <span className="line-clamp-3 wrap-anywhere">{label}</span>}
      </Button>
      <BuyAgain answer={fetcher.data} name={product.name} onAgain={() => buy({ again: 'yes' })} />
      <AskAddress answer={fetcher.data} name={product.name} onTold={(address) => buy(address)} />
    </div>
  )
}

type BuyAgainProps = { answer: BuyAnswer | undefined; name: string; onAgain: () => void }

/** Opens with each answer that says: owned already. */
function BuyAgain({ answer, name, onAgain }: BuyAgainProps) {
  const [settled, settle] = useState<BuyAnswer>()
  const close = () => settle(answer)
  return (
    <Dialog
      title="You have this one already"
      isOpen={Boolean(answer?.isOwned) && settled !== answer}
      onClose={close}
    >
      <p className="mt-3 text-soft">{name} is part of what you bought. Would you like to buy another copy?</p>
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        <Button look="outline" onClick={close}>
          Keep the one I have
        </Button>
        <Button
          onClick={() => {
            close()
            onAgain()
          }}
        >
          Buy another
        </Button>
      </div>
    </Dialog>
  )
}

type AskAddressProps = {
  answer: BuyAnswer | undefined
  name: string
  onTold: (address: PostalAddress) => void
}

/** Opens with each answer that asks where to send it; what was told before stands in it. */
function AskAddress({ answer, name, onTold }: AskAddressProps) {
  const [settled, settle] = useState<BuyAnswer>()
  const [told, setTold] = useState<PostalAddress>()
  if (!answer?.asks || settled === answer) return null
  return (
    <Suspense>
      <AddressDialog
        title="Where shall we send it?"
        action="Buy and ship here"
        countries={answer.asks.countries}
        address={told}
        problems={answer.asks.problems}
        onClose={() => settle(answer)}
        onSubmit={(address) => {
          setTold(address)
          settle(answer)
          onTold(address)
        }}
      >
        {name} comes to your door, free of charge. You can correct the address until it is on its way.
      </AddressDialog>
    </Suspense>
  )
}
