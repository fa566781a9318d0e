// The link that opens an order for a buyer without an account. The shop can show it only once.
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { AccessLink } from '#contract/orders/guest-purchases.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { responseOf } from '../../api.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { formatMoment } from '../../format/format.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { adminClient, useAdminCall } from './calls.tsx'

const { links } = adminClient<OrdersApi>('Make the link').purchases[':id']

export function BuyersLink({ purchase_id }: { purchase_id: string }) {
  const { revalidate } = useRevalidator()
  // Loaded again when the link was seen: the order may leave the list that this button is in.
  const [isBusy, run] = useAdminCall({ loadsAgain: false })
  const [link, setLink] = useState<AccessLink>()
  const make = async () => setLink(await responseOf(links.$post({ param: { id: purchase_id } })))
  function close() {
    setLink(undefined)
    void revalidate()
  }
  return (
    <>
      <Button
        look="outline"
        disabled={isBusy}
        onClick={() => void run(make, { failed: 'Couldn’t make the link' })}
      >
        Copy the buyer’s link
      </Button>
      {link && <LinkDialog link={link} onClose={close} />}
    </>
  )
}

function LinkDialog({ link: { url, ends_at }, onClose }: { link: AccessLink; onClose: () => void }) {
  return (
    <Dialog title="The buyer’s link" onClose={onClose}>
      <p className="mt-3 mb-5 text-pretty text-soft">
        It opens the order with its files, without a password, until {formatMoment(ends_at)}. Send it to the
        buyer only. It is not shown again, but you can make another.
      </p>
      <Field label="Link" readOnly value={url} onFocus={({ target }) => target.select()} />
      <p className="mt-5 flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        <CopyButton
          label="Copy"
          text={url}
          copied={{ title: 'Link copied' }}
          notCopied={{ title: 'Couldn’t copy', description: 'Please select it and copy it by hand.' }}
        />
      </p>
    </Dialog>
  )
}
