// What the author does with a buyer's declaration: gives the money back, or refuses with a sentence where nothing binds.
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
        Give the money back
      </Button>
      {need.binding === null && (
        <Button look="quiet" disabled={isBusy} onClick={() => setAsked('refuse')}>
          Refuse
        </Button>
      )}
      {asked === 'give' && (
        <Confirm
          title={`Give ${formatMoney(amount, currency)} back?`}
          action="Give it back"
          isDanger
          isBusy={isBusy}
          onClose={close}
          onConfirm={() => send('giveBack')}
        >
          All that is left of the payment goes back the way it came, and {email} is told by mail.
        </Confirm>
      )}
      {asked === 'refuse' && (
        <Dialog title="Refuse to give the money back?" isBusy={isBusy} onClose={close}>
          <p className="mt-3 text-pretty text-soft">
            Neither the promise that was made with this purchase nor the right of withdrawal holds for it.{' '}
            {email} gets your words by mail, and has what was bought as before.
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
        label="Why, in a sentence for the buyer"
        name="sentence"
        rows={3}
        maxLength={1000}
        disabled={isBusy}
      />
      <p className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit" look="danger" disabled={isBusy}>
          Refuse
        </Button>
      </p>
    </form>
  )
}
