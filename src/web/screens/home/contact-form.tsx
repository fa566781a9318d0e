import { useEffect, useRef, type FormEvent } from 'react'
import { useFetcher } from 'react-router'
import { useFocusBack } from '../../focus-back.ts'
import { Button } from '../../components/button.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { clearDraft, restoreDraft, saveDraft } from './draft.ts'
import { loadMessageSchema, type MessageResponse } from './send-message.ts'

export function ContactForm() {
  const fetcher = useFetcher<MessageResponse>()
  const form = useRef<HTMLFormElement>(null)
  const isSending = fetcher.state !== 'idle'
  const answer = fetcher.data
  useFocusBack(form, isSending)

  useEffect(() => {
    if (form.current) restoreDraft(form.current)
  }, [])
  useEffect(() => {
    if (!answer?.isSent) return
    form.current?.reset()
    clearDraft()
  }, [answer])

  /** At once, so that the second half of a double click finds the form disabled. */
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void fetcher.submit(event.currentTarget, { method: 'post', flushSync: true })
  }

  function write(event: FormEvent<HTMLFormElement>) {
    saveDraft(event.currentTarget)
    void loadMessageSchema()
  }

  const problem = (name: string) => (isSending ? undefined : answer?.fields?.[name])
  return (
    <form ref={form} method="post" noValidate onSubmit={send} onInput={write}>
      <input type="hidden" name="intent" value="message" />
      <fieldset disabled={isSending} className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" autoComplete="name" problem={problem('name')} />
        <Field label="Email" name="email" type="email" autoComplete="email" problem={problem('email')} />
        <div className="sm:col-span-2">
          <Field label="Subject" name="subject" problem={problem('subject')} />
        </div>
        <div className="sm:col-span-2">
          <TextField label="Message" name="message" rows={7} problem={problem('message')} />
        </div>
        <Honeypot />
        <Button type="submit" className="min-h-13 text-lg sm:col-span-2">
          {isSending && <Spinner />}
          {isSending ? 'Sending...' : 'Send Message'}
        </Button>
      </fieldset>
    </form>
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
