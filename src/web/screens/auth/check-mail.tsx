import { MailCheck } from '../../components/further-icons.tsx'
import { useEffect, useRef } from 'react'
import { resendVerification } from '../../accounts.ts'
import { mailAsked } from '../../copy.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useBusy } from '../../use-busy.ts'
import { useSendsMail } from '../../shop.ts'

export function CheckMail({ email, onBack }: { email: string; onBack: () => void }) {
  const sendsMail = useSendsMail()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const [isBusy, resend] = useBusy(async () => {
    const { problem } = await resendVerification(email, nextPath(location.search))
    toast(
      problem ? { title: 'Couldn’t send', description: problem, destructive: true } : mailAsked(sendsMail),
    )
  })

  return (
    <div>
      <MailCheck aria-hidden className="size-10 text-gold-text" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="mt-4 font-display text-xl font-semibold">
        Check your email
      </h2>
      {sendsMail ? (
        <p className="mt-2 text-soft">
          We sent a link to <strong className="font-semibold text-ink break-words">{email}</strong>. Press the
          button in it, and you are signed in.
        </p>
      ) : (
        <p className="mt-2 text-soft">
          <LinkNotSent email={email} />
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

// In a shop that sends no mail, a link that was asked for reaches nobody by itself.
export function LinkNotSent({ email }: { email: string }) {
  return (
    <>
      A link for <strong className="font-semibold text-ink break-words">{email}</strong> is written, but this
      shop does not send email yet. Please{' '}
      <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
        write to the author
      </a>
      .
    </>
  )
}
