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
