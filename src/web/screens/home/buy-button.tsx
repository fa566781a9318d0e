// The button under each format, and the question before a second copy.
import { useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { Product } from '#contract/products.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { BuyAnswer } from './buy.ts'

type BuyButtonProps = { product: Product; label: string; look: 'primary' | 'outline' }

export function BuyButton({ product, label, look }: BuyButtonProps) {
  const fetcher = useFetcher<BuyAnswer>()
  const isBusy = fetcher.state !== 'idle'
  const buy = (more: Record<string, string> = {}) =>
    void fetcher.submit({ intent: 'buy', product_id: product.id, ...more }, { method: 'post' })
  return (
    <>
      <Button look={look} className="w-full" disabled={isBusy} onClick={() => buy()}>
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
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (answer?.isOwned) dialog.current?.showModal()
  }, [answer])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`again-${name}`}
      className="m-auto w-[min(28rem,calc(100vw-2.5rem))] rounded-lg border border-line bg-surface p-7 text-ink shadow-2xl backdrop:bg-black/60"
    >
      <form method="dialog">
        <h3 id={`again-${name}`} className="font-display text-2xl">
          You have this one already
        </h3>
        <p className="mt-3 text-soft">{name} is among your purchases. Would you like to buy another copy?</p>
        <div className="mt-7 flex flex-wrap justify-end gap-3">
          <Button look="outline" type="submit" autoFocus>
            Keep the one I have
          </Button>
          <Button type="submit" onClick={onAgain}>
            Buy another
          </Button>
        </div>
      </form>
    </dialog>
  )
}
