import { useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import type { clientLoader as adminLoader } from '../admin.tsx'
import { TextLink } from '../text-link.tsx'

const name = 'factor-notice-until'
const pauseMs = 30 * 86_400_000

/** Asks an admin for a second factor, in each browser once in 30 days. */
export function FactorNotice() {
  const frame = useRouteLoaderData<typeof adminLoader>('screens/admin/admin')
  const [isPaused, setIsPaused] = useState(() => Number(localStorage.getItem(name)) > Date.now())
  if (frame?.me?.has_factor !== false || isPaused) return null
  function pause() {
    localStorage.setItem(name, String(Date.now() + pauseMs))
    setIsPaused(true)
  }
  return (
    <Callout role="note" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0">
        Whoever learns your password has the whole shop. A passkey or an authenticator app keeps it yours:{' '}
        <TextLink to="/account">add a second factor</TextLink>.
      </p>
      <Button look="quiet" className="-my-2" onClick={pause}>
        Not now
      </Button>
    </Callout>
  )
}
