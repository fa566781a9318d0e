import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { NeedOf } from '#features/payments/contract/needs-attention.ts'
import { formatMoney } from '../../../format.ts'
import { readText } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { CancelButton, Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'

export function WithdrawalButtons({ need }: { need: NeedOf<'withdrawal'> }) {
  const fetcher = useFetcher()
  const [asked, setAsked] = useState<'give' | 'refuse'>()
  const isBusy = fetcher.state !== 'idle'
  const { id, kind, email, amount, currency } = need
  const close = () => setAsked(undefined)

  function send(adminAction: string, more: Record<string, string> = {}) {
    close()
    void fetcher.submit({ kind, id, adminAction, ...more }, { method: 'post' })
  }

  return (
    <>
      <Button look="outline" disabled={isBusy} onClick={() => setAsked('give')}>
        Refund the buyer
      </Button>
      {need.binding === null && (
        <Button look="quiet" disabled={isBusy} onClick={() => setAsked('refuse')}>
          Refuse
        </Button>
      )}
      {asked === 'give' && (
        <Confirm
          title={`Refund ${formatMoney(amount, currency)}?`}
          action="Refund"
          isDanger
          isBusy={isBusy}
          onClose={close}
          onConfirm={() => send('giveBack')}
        >
          The rest of the payment goes back to the card or account it came from, and {email} gets an email
          about it.
        </Confirm>
      )}
      {asked === 'refuse' && (
        <Dialog title="Refuse the refund?" isBusy={isBusy} onClose={close}>
          <p className="mt-3 text-pretty text-soft">
            Neither your refund promise nor the right of withdrawal covers this purchase. {email} gets your
            answer by email and keeps the purchase.
          </p>
          <RefusalForm isBusy={isBusy} onRefuse={(sentence) => send('refuse', { sentence })} />
        </Dialog>
      )}
    </>
  )
}

function RefusalForm({ isBusy, onRefuse }: { isBusy: boolean; onRefuse: (sentence: string) => void }) {
  const { markChanged } = useUnsavedChanges()
  return (
    <form
      className="mt-5 grid gap-5"
      onInput={markChanged}
      onSubmit={(event) => {
        event.preventDefault()
        onRefuse(readText(new FormData(event.currentTarget), 'sentence'))
      }}
    >
      <TextField
        label="Your reason, for the buyer"
        name="sentence"
        rows={3}
        maxLength={1000}
        disabled={isBusy}
      />
      <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <CancelButton />
        <Button type="submit" look="danger" disabled={isBusy}>
          Refuse
        </Button>
      </p>
    </form>
  )
}
