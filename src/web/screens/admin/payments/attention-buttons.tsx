import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { DismissableKind, Need, NeedOf } from '#features/payments/contract/needs-attention.ts'
import { formatMoney } from '../../../format.ts'
import { readText } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { CancelButton, Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { useCurrency } from '../../../shop.ts'

function useAdminAction({ kind, id }: Need) {
  const fetcher = useFetcher()
  return {
    isBusy: fetcher.state !== 'idle',
    press: (adminAction: string, more: Record<string, string> = {}) =>
      void fetcher.submit({ kind, id, adminAction, ...more }, { method: 'post' }),
  }
}

export function HeldButtons({ need }: { need: NeedOf<'held'> }) {
  const { isBusy, press } = useAdminAction(need)
  const [asked, setAsked] = useState<'accept' | 'refund'>()
  const { paid, email } = need
  const isInCurrency = paid?.currency === useCurrency()
  const close = () => setAsked(undefined)
  function confirm() {
    if (asked) press(asked)
    close()
  }
  if (need.is_going_back) return <p className="text-sm text-soft">The refund is on its way.</p>
  return (
    <>
      <Button look="outline" disabled={isBusy} onClick={() => press('check')}>
        Check again
      </Button>
      {isInCurrency && (
        <Button look="outline" disabled={isBusy} onClick={() => setAsked('accept')}>
          Accept as paid
        </Button>
      )}
      {paid && (
        <Button look="outline" disabled={isBusy} onClick={() => setAsked('refund')}>
          Refund the buyer
        </Button>
      )}
      {asked === 'accept' && paid && (
        <Confirm
          title={`Accept ${formatMoney(paid.total, paid.currency)}?`}
          action="Accept as paid"
          onClose={close}
          onConfirm={confirm}
        >
          The purchase is completed at the amount that was paid, {formatMoney(paid.total, paid.currency)}, and{' '}
          {email} gets the book and the receipt.
        </Confirm>
      )}
      {asked === 'refund' && paid && (
        <Confirm
          title={`Refund ${formatMoney(paid.total, paid.currency)}?`}
          action="Refund"
          isDanger
          onClose={close}
          onConfirm={confirm}
        >
          The full amount goes back to the card or account it came from, the purchase is canceled, and {email}{' '}
          gets an email about it.
        </Confirm>
      )}
    </>
  )
}

export function AgainButton({ need }: { need: NeedOf<'mail' | 'event'> }) {
  const { isBusy, press } = useAdminAction(need)
  return (
    <Button look="outline" disabled={isBusy} onClick={() => press('again')}>
      {need.kind === 'mail' ? 'Send again' : 'Try again'}
    </Button>
  )
}

export function DismissButton({ need }: { need: NeedOf<DismissableKind> }) {
  const { isBusy, press } = useAdminAction(need)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        look={isAlone[need.kind] ? 'outline' : 'quiet'}
        disabled={isBusy}
        onClick={() => setIsAsking(true)}
      >
        Dismiss
      </Button>
      {isAsking && (
        <Dialog title="Dismiss this?" onClose={() => setIsAsking(false)}>
          <p className="mt-3 text-pretty text-soft">{consequence[need.kind]}</p>
          <DismissForm
            onDismiss={(note) => {
              press('dismiss', { note })
              setIsAsking(false)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

const isAlone: Partial<Record<DismissableKind, true>> = { refund: true, refund_failed: true, outage: true }

type DismissFormProps = { onDismiss: (note: string) => void }

function DismissForm({ onDismiss }: DismissFormProps) {
  const { markChanged } = useUnsavedChanges()
  return (
    <form
      className="mt-5 grid gap-5"
      onInput={markChanged}
      onSubmit={(event) => {
        event.preventDefault()
        onDismiss(readText(new FormData(event.currentTarget), 'note'))
      }}
    >
      <TextField label="What you did about it" name="note" rows={3} maxLength={1000} />
      <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <CancelButton />
        <Button type="submit">Dismiss</Button>
      </p>
    </form>
  )
}

const consequence: Record<DismissableKind, string> = {
  held: 'Choose this if you have settled it elsewhere. The purchase is canceled, no money moves, and nothing completes it automatically. You can still accept the payment on the order’s page.',
  refund: 'This removes it from the list. No money moves.',
  refund_failed: 'Choose this if the buyer got the money in another way. No money moves.',
  event: 'The shop stops trying to process it.',
  mail: 'The shop stops trying to send it.',
  outage: 'This removes it from the list. The shop does not write to the people who could not pay.',
}
