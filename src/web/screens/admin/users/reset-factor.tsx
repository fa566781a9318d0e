import { useState } from 'react'
import type { UserDetail } from '#contract/accounts/users.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { Button } from '../../../components/button.tsx'
import { adminClient } from '../admin-client.ts'
import { ProofForm } from '../../../proof-dialog.tsx'
import { useAdminCall } from '../use-admin-call.ts'

const api = adminClient<UsersApi>()

export function ResetFactor({ user }: { user: UserDetail }) {
  const [isAsking, setIsAsking] = useState(false)
  const [, run] = useAdminCall()
  if (user.factors === 0 && !isAsking) return null
  async function reset() {
    const param = { id: user.user_id }
    const { isSaved } = await run(() => api.users[':id']['factor-reset'].$post({ param, json: {} }), {
      done: { title: 'Second Factor Reset' },
      failed: 'Couldn’t reset',
    })
    if (isSaved) setIsAsking(false)
  }
  return (
    <>
      <Button look="outline" onClick={() => setIsAsking(true)}>
        Reset the second factor
      </Button>
      {isAsking && (
        <ProofForm
          title="Reset the second factor?"
          action="Reset"
          busyLabel="Resetting..."
          isDanger
          onProven={reset}
          onClose={() => setIsAsking(false)}
        >
          {user.display_name || user.email} can then sign in with the password alone, is signed out everywhere
          and is notified by email. Do this only when you are sure who asks for it.
        </ProofForm>
      )}
    </>
  )
}
