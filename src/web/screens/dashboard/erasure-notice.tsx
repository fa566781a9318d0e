import { accountTexts } from '#words/account.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { api, responseOf } from '../../api.ts'
import { formatDate } from '../../format.ts'
import { Callout } from '../../components/callout.tsx'

/** Whoever buys meanwhile has to know. */
export function ErasureNotice() {
  const [due_at, setDueAt] = useState<string | null>(null)
  useEffect(() => {
    responseOf(api.account.erasure.$get()).then(
      (erasure) => setDueAt(erasure.due_at),
      // The purchases are shown without it; the account page says what failed.
      () => undefined,
    )
  }, [])
  if (!due_at) return null
  return (
    <Callout role="alert" className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-2">
      <p className="font-semibold">{fill(accountTexts.erasure.due, { date: formatDate(due_at) })}</p>
      <Link to="/account" className="inline-flex min-h-8 items-center underline underline-offset-4">
        {dashboardTexts.yourAccount}
      </Link>
    </Callout>
  )
}
