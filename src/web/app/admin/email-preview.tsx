// Shows an email as its first reader will get it, and sends it to the admin first.
import { useEffect, useId, useRef, useState } from 'react'
import { mailPreviewPath, type MailPreview } from '#contract/mail/mail-preview.ts'
import type { MailSetupApi } from '#domains/mail/mails.routes.ts'
import { responseOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { adminClient, CallButton, useAdminCall } from './calls.tsx'

const api = adminClient<MailSetupApi>()

type EmailPreviewProps = {
  preview: MailPreview
  /** It is false where no mail server is set. */
  sendsMail: boolean
}

export function EmailPreview({ preview: { subject, text, token }, sendsMail }: EmailPreviewProps) {
  return (
    <section aria-label="The email as its reader gets it" className="grid min-w-0 gap-3">
      <p className="font-semibold wrap-anywhere">{subject}</p>
      {/* Each email has a frame of its own, so that no step back lies between two of them. */}
      <EmailFrame key={token} token={token} />
      <details>
        <summary className="cursor-pointer rounded-sm text-sm text-soft hover:text-ink">Plain text</summary>
        <pre className="mt-3 rounded-md bg-ink/5 p-4 text-sm break-words whitespace-pre-wrap">{text}</pre>
      </details>
      <SendToMe token={token} sendsMail={sendsMail} />
    </section>
  )
}

/** It runs nothing and leads nowhere. */
function EmailFrame({ token }: { token: string }) {
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <>
      <form ref={form} hidden method="post" action={mailPreviewPath} target={name}>
        <input type="hidden" name="token" value={token} />
      </form>
      <iframe
        name={name}
        title="The email as it looks"
        sandbox=""
        className="h-[36rem] w-full rounded-md border border-line bg-surface"
      />
    </>
  )
}

function SendToMe({ token, sendsMail }: { token: string; sendsMail: boolean }) {
  if (!sendsMail) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <CallButton
        label="Send it to me first"
        busyLabel="Sending..."
        call={() => responseOf(api.mail.preview.$post({ json: { token } }))}
        done={({ is_accepted, to, answer, advice }) =>
          is_accepted
            ? {
                title: 'Sent to you',
                description: `The mail server took it. Look into the mailbox of ${to}.`,
              }
            : {
                title: 'The email was not sent',
                description: `The mail server answered: ${answer} ${advice}`,
                destructive: true,
              }
        }
        failed="Couldn’t send"
      />
      <p className="text-sm text-pretty text-soft">
        Only you get it. Links that are made for each reader open nothing in it.
      </p>
    </div>
  )
}

type LoadedEmailPreviewProps = {
  label?: string
  load: () => Promise<MailPreview>
  /** The email is made of this: once it changes, the preview from before is not shown any more. */
  content: string
  isReady?: boolean
  sendsMail: boolean
}

/** Previews an email that is still being typed, when it is asked for. */
export function LoadedEmailPreview(props: LoadedEmailPreviewProps) {
  const { label = 'Preview the email', load, content, isReady = true, sendsMail } = props
  const [loaded, setLoaded] = useState<{ preview: MailPreview; content: string }>()
  const [isBusy, run] = useAdminCall({ loadsAgain: false })
  async function show() {
    await run(async () => setLoaded({ preview: await load(), content }), {
      failed: 'Couldn’t make the preview',
    })
  }
  if (loaded?.content === content) return <EmailPreview preview={loaded.preview} sendsMail={sendsMail} />
  return (
    <p>
      <Button look="outline" disabled={isBusy || !isReady} onClick={() => void show()}>
        {isBusy ? 'One moment...' : label}
      </Button>
    </p>
  )
}
