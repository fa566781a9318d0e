import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { KeptMails } from '#features/mails/contract/kept-mails.ts'
import { formatDate } from '../../../format.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'

type SendKeptProps = { sendable: NonNullable<KeptMails['sendable']> }

export function SendKept({ sendable: { count, oldest_at } }: SendKeptProps) {
  const fetcher = useFetcher()
  const [isAsked, setIsAsked] = useState(false)
  const isBusy = fetcher.state !== 'idle'
  const mails = count === 1 ? 'the kept mail' : `${count} kept emails`
  function send() {
    setIsAsked(false)
    void fetcher.submit(null, { method: 'post' })
  }
  return (
    <p className="mt-2">
      <Button disabled={isBusy} onClick={() => setIsAsked(true)}>
        {isBusy ? 'Sending...' : `Send ${mails}`}
      </Button>
      {isAsked && (
        <Confirm
          title={`Send ${mails}?`}
          action={count === 1 ? 'Send it' : `Send ${count} emails`}
          onConfirm={send}
          onClose={() => setIsAsked(false)}
        >
          <p>
            The oldest was written on {formatDate(oldest_at)}: its reader may not expect it any more. Each is
            written anew, as things stand now, and goes out once.
          </p>
          <p className="mt-3">
            These are receipts, gifts, and notices of parcels and refunds. Of several receipts for one order
            only the last is sent. Emails with a link to sign in or to confirm an address are left out: those
            links have expired.
          </p>
        </Confirm>
      )}
    </p>
  )
}
