// An island: what a visitor writes to the author. What is typed is kept by the loader (`data-draft`), alive or not.
import { fill } from '#words/texts.ts'
import { homeTexts } from '#words/home.ts'
import { siteTexts } from '#words/site.ts'
import { use, useRef } from 'react'
import { contactPath } from '#contract/paths.ts'
import { Button } from '../../components/button.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Honeypot } from '../../forms/honeypot.tsx'
import { isOffline, ProblemError, send } from '../../notices/send.ts'
import { FormAnswerContext, readText, useForm, type FormResult } from '../../forms/form.ts'
import { randomId } from '../random-id.ts'
import { toast } from '../../notices/toasts.tsx'

export const contactDraft = 'contact-draft'

async function sendMessage(form: FormData, key: string): Promise<FormResult> {
  const text = (name: string) => readText(form, name)
  const message = {
    key,
    name: text('name'),
    email: text('email'),
    subject: text('subject'),
    message: text('message'),
    website: text('website') || undefined,
  }
  try {
    const headers = { 'content-type': 'application/json' }
    await send('/api/contact', { method: 'POST', headers, body: JSON.stringify(message) })
  } catch (error) {
    const offline = isOffline(error) && {
      description: fill(homeTexts.staysHere, { offline: siteTexts.offline }),
    }
    toast({ ...homeTexts.messageFailed, ...offline, destructive: true })
    return { isSaved: false, problems: error instanceof ProblemError ? error.fields : undefined }
  }
  const { title, description, promise } = homeTexts.messageSent
  const time = text('reply_time')
  toast({ title, description: time ? fill(promise, { time }) : description })
  sessionStorage.removeItem(contactDraft)
  return { isSaved: true }
}

const check = byBrowser()

export function ContactForm({ replyTime }: { replyTime: string }) {
  const answer = use(FormAnswerContext)
  /** One for all tries of a message: it arrives once. */
  const key = useRef('')
  const { form, isBusy, field } = useForm(check, sendOnce, { action: contactPath, isEmptied: true })

  async function sendOnce(entered: FormData): Promise<FormResult> {
    key.current ||= readText(entered, 'key') || randomId()
    const result = await sendMessage(entered, key.current)
    if (result.isSaved) key.current = ''
    return result
  }

  return (
    <form {...form} data-draft={contactDraft}>
      <input type="hidden" name="key" value={answer?.values['key'] ?? ''} readOnly />
      <input type="hidden" name="reply_time" value={replyTime} />
      <fieldset disabled={isBusy} className="grid gap-5 sm:grid-cols-2">
        <Field label={homeTexts.name} autoComplete="name" {...field('name')} />
        <Field label={homeTexts.email} type="email" autoComplete="email" {...field('email')} />
        <div className="sm:col-span-2">
          <Field label={homeTexts.subject} {...field('subject')} />
        </div>
        <div className="sm:col-span-2">
          <TextField label={homeTexts.message} rows={7} {...field('message')} />
        </div>
        <Honeypot />
        <Button
          busy={isBusy}
          type="submit"
          data-busy={homeTexts.sending}
          className="min-h-13 text-lg sm:col-span-2"
        >
          {isBusy ? homeTexts.sending : homeTexts.send}
        </Button>
      </fieldset>
    </form>
  )
}
