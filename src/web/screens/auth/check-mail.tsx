// After signing up: the mail is on its way, and can be sent again.
import { MailCheck } from '../../components/icons.tsx'
import { useEffect, useRef } from 'react'
import { useRouteLoaderData } from 'react-router'
import { resendVerification } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Spinner } from '../../components/spinner.tsx'
import type { loader } from '../../root.tsx'
import { useBusy } from '../../use-busy.ts'

export function CheckMail({ email, onBack }: { email: string; onBack: () => void }) {
  const root = useRouteLoaderData<typeof loader>('root')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const [isBusy, resend] = useBusy(async () => {
    const { problem } = await resendVerification(email, nextPath(location.search))
    toast(problem ? { title: 'Not Sent', description: problem, destructive: true } : notices.mailSent)
  })

  return (
    <div>
      <MailCheck aria-hidden className="size-10 text-gold-text" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="mt-4 font-display text-xl font-semibold">
        Check your email
      </h2>
      {root?.sendsMail ? (
        <p className="mt-2 text-soft">
          We sent a link to <strong className="font-semibold text-ink break-words">{email}</strong>. Press the
          button in it, and you are signed in.
        </p>
      ) : (
        <p className="mt-2 text-soft">
          A link for <strong className="font-semibold text-ink break-words">{email}</strong> is written, but
          this shop does not send mail yet. Please{' '}
          <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
            write to the author
          </a>
          .
        </p>
      )}
      <form className="mt-6 flex flex-wrap gap-3" onSubmit={resend}>
        <Button type="submit" disabled={isBusy}>
          {isBusy && <Spinner />}
          Send it again
        </Button>
        <Button look="outline" onClick={onBack}>
          Back to Sign In
        </Button>
      </form>
    </div>
  )
}
