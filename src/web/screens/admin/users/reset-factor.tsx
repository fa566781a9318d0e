import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { UserDetail } from '#features/users/contract.ts'
import { Button } from '../../../components/button.tsx'
import { CancelButton, Dialog } from '../../../components/dialog.tsx'
import { ProofFields } from '../proof-fields.tsx'
import type { ResetResult } from './send-factor-reset.ts'

export function ResetFactor({ user }: { user: UserDetail }) {
  const [isAsking, setIsAsking] = useState(false)
  if (user.factors === 0) return null
  return (
    <>
      <Button look="outline" onClick={() => setIsAsking(true)}>
        Reset the second factor
      </Button>
      {isAsking && <ResetDialog user={user} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function ResetDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const fetcher = useFetcher<ResetResult>()
  const form = useRef<HTMLFormElement>(null)
  const isBusy = fetcher.state !== 'idle'
  const { data } = fetcher
  useEffect(() => {
    if (!data) return
    if (data.isSaved) onClose()
    else form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [data, onClose])
  return (
    <Dialog title="Reset the second factor?" isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">
        {user.display_name || user.email} can then sign in with the password alone, is signed out everywhere
        and is notified by email. Do this only when you are sure who asks for it.
      </p>
      <fetcher.Form method="post" ref={form} className="mt-5">
        <fieldset disabled={isBusy} className="grid gap-5">
          <ProofFields wrong={data?.wrong} />
          <p className="flex flex-wrap justify-end gap-3">
            <CancelButton />
            <Button look="danger" type="submit" name="adminAction" value="resetFactor">
              {isBusy ? 'Resetting...' : 'Reset'}
            </Button>
          </p>
        </fieldset>
      </fetcher.Form>
    </Dialog>
  )
}
