import { useState } from 'react'
import type { UserDetail } from '#contract/accounts/users.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ProofForm } from '../../../proof-dialog.tsx'
import { adminClient } from '../admin-client.ts'
import { useAdminCall } from '../use-admin-call.ts'

const api = adminClient<UsersApi>()

/** Nobody but the new mailbox itself confirms for it. */
export function AddressChange({ user }: { user: UserDetail }) {
  const [isAsking, setIsAsking] = useState(false)
  const [, run] = useAdminCall()
  const { address_change: change, email, user_id: id } = user
  if (!change) return null
  const { new_email, missing } = change
  const isOldMissing = missing.includes('current')
  const mailboxes = [...(isOldMissing ? [email] : []), ...(missing.includes('new') ? [new_email] : [])]
  async function confirm() {
    const call = () => api.users[':id']['address-confirmation'].$post({ param: { id }, json: { new_email } })
    const { isSaved } = await run(call, {
      done: { title: 'Confirmed for the Old Mailbox' },
      failed: 'Couldn’t confirm',
    })
    if (isSaved) setIsAsking(false)
  }
  return (
    <Card title="Another address" contentClass="grid justify-items-start gap-4 px-5 py-4">
      <p className="text-pretty">
        The account is to have the address <strong className="wrap-anywhere">{new_email}</strong>. Not
        confirmed yet by: {mailboxes.join(' and ')}.
      </p>
      {isOldMissing && !user.roles.includes('admin') && (
        <Button look="outline" onClick={() => setIsAsking(true)}>
          Confirm for the old mailbox
        </Button>
      )}
      {isAsking && (
        <ProofForm
          title="Confirm for the old mailbox?"
          action="Confirm"
          busyLabel="Confirming..."
          isDanger
          onProven={confirm}
          onClose={() => setIsAsking(false)}
        >
          Whoever has the mailbox of {new_email} then gets this account and its purchases. Do this only for a
          reader who cannot open {email} any more, and when you are sure who asks for it.
        </ProofForm>
      )}
    </Card>
  )
}
