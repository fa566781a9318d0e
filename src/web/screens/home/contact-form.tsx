// The form to the author: keeps what is written until it is sent.
import { useEffect, useRef, type ComponentProps } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { clearDraft, restoreDraft, saveDraft } from './draft.ts'
import type { MessageAnswer } from './send-message.ts'

export function ContactForm() {
  const fetcher = useFetcher<MessageAnswer>()
  const form = useRef<HTMLFormElement>(null)
  const isSending = fetcher.state !== 'idle'
  const answer = fetcher.data

  useEffect(() => {
    if (form.current) restoreDraft(form.current)
  }, [])
  useEffect(() => {
    if (!answer?.isSent) return
    form.current?.reset()
    clearDraft()
  }, [answer])

  const problem = (name: string) => (isSending ? undefined : answer?.fields?.[name])
  return (
    <fetcher.Form ref={form} method="post" onInput={(event) => saveDraft(event.currentTarget)}>
      <input type="hidden" name="intent" value="message" />
      <fieldset disabled={isSending} className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" maxLength={200} autoComplete="name" problem={problem('name')} />
        <Field
          label="Email"
          name="email"
          type="email"
          maxLength={254}
          autoComplete="email"
          problem={problem('email')}
        />
        <div className="sm:col-span-2">
          <Field label="Subject" name="subject" maxLength={300} problem={problem('subject')} />
        </div>
        <div className="sm:col-span-2">
          <Field label="Message" name="message" rows={7} maxLength={10_000} problem={problem('message')} />
        </div>
        <Honeypot />
        <Button type="submit" className="min-h-13 text-lg sm:col-span-2">
          {isSending && <Spinner />}
          {isSending ? 'Sending...' : 'Send Message'}
        </Button>
      </fieldset>
    </fetcher.Form>
  )
}

type FieldProps = { label: string; name: string; problem: string | undefined; rows?: number } & Pick<
  ComponentProps<'input'>,
  'type' | 'maxLength' | 'autoComplete'
>

function Field({ label, name, problem, rows, ...rest }: FieldProps) {
  const id = `contact-${name}`
  const shared = {
    id,
    name,
    required: true,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? `${id}-problem` : undefined,
    className:
      'mt-1.5 block w-full rounded-md border border-ink/45 bg-surface px-3.5 py-2.5 disabled:opacity-60 aria-invalid:border-danger',
  }
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {rows ? (
        <textarea rows={rows} maxLength={rest.maxLength} {...shared} />
      ) : (
        <input {...rest} {...shared} />
      )}
      {problem && (
        <p id={`${id}-problem`} className="mt-1.5 text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

/** No person sees it: whatever fills it in is a robot. */
function Honeypot() {
  return (
    <div hidden>
      <label htmlFor="contact-website">Website</label>
      <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
    </div>
  )
}
