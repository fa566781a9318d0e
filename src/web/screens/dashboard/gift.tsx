import { fill } from '#words/fill.ts'
import { giftTexts } from '#words/gift.ts'
import { lazy, Suspense, useState } from 'react'
import { useFetcher } from 'react-router'
import type { GivenCopy as Given, ReceivedCopy as Received } from '#contract/delivery/purchase-gifts.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { formatDate } from '../../format.ts'
import { useSendsMail } from '../../shop.ts'
import { useQuestion } from '../../use-question.ts'
import type { giveCopy } from './give-copy.ts'

const GiftDialog = lazy(() => import('./gift-dialog.tsx'))

const quiet = 'px-3! underline underline-offset-4'

type GiftProps = { purchase: Purchase }

export function GiveButton({ purchase }: GiftProps) {
  const isMailed = useSendsMail()
  const name = fill(giftTexts.giveProduct, { product: purchase.product.name })
  return isMailed && <GiftFormButton purchase={purchase} label={giftTexts.give} name={name} />
}

type GiftFormButtonProps = GiftProps & { label: string; name?: string; given?: Given }

function GiftFormButton({ purchase, label, name, given }: GiftFormButtonProps) {
  const fetcher = useFetcher<typeof giveCopy>()
  const { isOpen, problems, open, close } = useQuestion(fetcher.data)
  return (
    <>
      <Button look="quiet" className={quiet} aria-label={name} onClick={open}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <GiftDialog
            given={given}
            problems={problems}
            isBusy={fetcher.state !== 'idle'}
            onSubmit={(fields) =>
              void fetcher.submit({ intent: 'give', purchase_id: purchase.id, ...fields }, { method: 'post' })
            }
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

export function GivenCopy({ purchase, given }: GiftProps & { given: Given }) {
  const fetcher = useFetcher()
  const [isAsking, setIsAsking] = useState(false)
  const { email, state, at } = given
  const isBusy = fetcher.state !== 'idle'
  const send = (intent: string) =>
    void fetcher.submit({ intent, purchase_id: purchase.id, email }, { method: 'post' })
  return (
    <div className="w-full text-sm">
      <p className="max-w-xl text-pretty wrap-anywhere text-soft">
        {fill(stateTexts()[state], { email, date: formatDate(at) })}
      </p>
      {state !== 'opened' && (
        <p className="-ms-3 mt-1 flex flex-wrap gap-x-1">
          <GiftFormButton purchase={purchase} label={giftTexts.change} given={given} />
          {(state === 'sent' || state === 'failed') && (
            <Button look="quiet" className={quiet} disabled={isBusy} onClick={() => send('mail_gift')}>
              {giftTexts.sendAgain}
            </Button>
          )}
          <Button look="quiet" className={quiet} disabled={isBusy} onClick={() => setIsAsking(true)}>
            {giftTexts.takeBack}
          </Button>
        </p>
      )}
      {isAsking && (
        <Confirm
          title={giftTexts.question}
          action={giftTexts.takeBack}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            send('take_back')
          }}
        >
          {fill(giftTexts.consequence, { email })}
        </Confirm>
      )}
    </div>
  )
}

const stateTexts = (): Record<Given['state'], string> => ({
  scheduled: giftTexts.scheduled,
  on_its_way: giftTexts.onItsWay,
  sent: giftTexts.sent,
  failed: giftTexts.notDelivered,
  opened: giftTexts.opened,
})

export function ReceivedCopy({ received: { from, note, is_over } }: { received: Received }) {
  return (
    <div className="mt-2 max-w-xl text-sm text-pretty wrap-anywhere text-soft">
      <p>
        {from
          ? fill(is_over ? giftTexts.receivedOver : giftTexts.received, { sender: from })
          : giftTexts.page}
      </p>
      {note && <p className="mt-1 border-s-2 border-line ps-3 whitespace-pre-line">{note}</p>}
    </div>
  )
}
