import { useState } from 'react'
import type { LockedBuyersApi } from '#domains/operations/erasures.routes.ts'
import type { LockedBuyer } from '#contract/operations/erasures.ts'
import { addressLines } from '#contract/orders/postal.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'

const api = adminClient<LockedBuyersApi>('Show the name')

/** The account was erased; who paid is kept for the tax office. */
export function LockedBuyerFact({ purchase_id }: { purchase_id: string }) {
  const [buyer, setBuyer] = useState<LockedBuyer>()
  if (buyer) return <Buyer buyer={buyer} />
  const show = async () =>
    setBuyer(
      await responseOf(api.purchases[':id']['locked-buyer'].$post({ param: { id: purchase_id }, json: {} })),
    )
  return (
    <span className="mt-2 block">
      <CallButton
        label="Show who paid"
        question={{ title: 'Show who paid?', action: 'Show the name' }}
        call={show}
        done={{ title: 'Recorded in the log' }}
        failed="Couldn’t show who paid"
      >
        This buyer had their account erased. The name is kept for authorities only, and the log records that
        you looked at it.
      </CallButton>
    </span>
  )
}

/** It ends with the beginning of the next. */
const lastYear = (locked_until: string) => new Date(locked_until).getUTCFullYear() - 1

function Buyer({
  buyer: { email, display_name, address, invoice_url, locked_until },
}: {
  buyer: LockedBuyer
}) {
  const lines = [display_name, email, ...(address ? addressLines(address) : [])].filter(Boolean)
  return (
    <span className="mt-2 block text-sm break-words" role="status">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
      {invoice_url && (
        <a href={invoice_url} className="block underline underline-offset-4">
          Invoice
        </a>
      )}
      <span className="block text-soft">Kept until the end of {lastYear(locked_until)}</span>
    </span>
  )
}
