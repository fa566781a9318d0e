// The button under each format, and the question before a second copy.
import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { Product } from '#contract/products.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { BuyAnswer } from './buy.ts'

type BuyButtonProps = { product: Product; label: string; look: 'primary' | 'outline' }

export function BuyButton({ product, label, look }: BuyButtonProps) {
  const fetcher = useFetcher<BuyAnswer>()
  const isBusy = fetcher.state !== 'idle'
  function buy(more: Record<string, string> = {}) {
    if (isBusy) return
    const form = { intent: 'buy', product_id: product.id, ...more }
    // At once, so that the second half of a double click finds the button busy.
    void fetcher.submit(form, { method: 'post', flushSync: true })
  }
  // Not `disabled`, which would take the keyboard's place on the page away.
  return (
    <>
      <Button look={look} className="w-full" aria-disabled={isBusy} onClick={() => buy()}>
        {isBusy && <Spinner />}
        {isBusy ? 'Processing...' : label}
      </Button>
      <BuyAgain answer={fetcher.data} name={product.name} onAgain={() => buy({ again: 'yes' })} />
    </>
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
      <p className="mt-3 text-soft">{name} is among your purchases. Would you like to buy another copy?</p>
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
