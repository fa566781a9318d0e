import { siteTexts } from '#words/site.ts'
import { homeTexts } from '#words/home.ts'
import { fill } from '#words/fill.ts'
import { asEntered, lazySchema, loadAndCheck, readText, useForm, type FormResult } from '../../form.ts'
import { isOffline } from '../../copy.ts'
import { ProblemError, send } from '../../send.ts'
import { toast } from '../../toasts.tsx'
import { parseObject, textIn, type JsonObject } from '../../page-state.ts'
import { Mail, Mic } from '../../components/icons.tsx'
import { type ReactNode, useEffect, type FormEvent } from 'react'
import { useBook } from '../../shop.ts'
import { Picture } from '../../cover.tsx'
import { Prose } from '../../prose.tsx'
import { Anchor } from '../../components/anchor.tsx'
import { Section } from '../../components/section.tsx'
import { Button } from '../../components/button.tsx'
import { Field, TextField } from '../../components/field.tsx'

const loadMessageSchema = lazySchema(
  async () => (await import('#contract/readers/contact.ts')).contactMessage,
)

async function sendMessage(form: FormData): Promise<FormResult> {
  const text = (name: string) => readText(form, name)
  const message = {
    name: text('name'),
    email: text('email'),
    subject: text('subject'),
    message: text('message'),
    website: text('website') || undefined,
  }
  const problems = await loadAndCheck(loadMessageSchema, message)
  if (problems) return { isSaved: false, problems }
  try {
    // Not by the typed client, which is loaded for it alone, and perhaps not at all over a poor connection.
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
  clearDraft()
  return { isSaved: true }
}

const contactFields = ['name', 'email', 'subject', 'message'] as const

const draftName = 'contact-draft'

function saveDraft(form: HTMLFormElement): void {
  const values = new FormData(form)
  const draft = Object.fromEntries(contactFields.map((field) => [field, values.get(field)]))
  try {
    sessionStorage.setItem(draftName, JSON.stringify(draft))
  } catch {
    // Where the browser forbids storage, only the form itself remembers.
  }
}

function restoreDraft(form: HTMLFormElement): void {
  const draft = readDraft()
  for (const field of contactFields) {
    const input = form.elements.namedItem(field)
    const isField = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement
    if (isField && !input.value) input.value = textIn(draft, field) ?? ''
  }
}

function clearDraft(): void {
  try {
    sessionStorage.removeItem(draftName)
  } catch {
    // Nothing was stored.
  }
}

function readDraft(): JsonObject {
  try {
    return parseObject(sessionStorage.getItem(draftName) ?? '')
  } catch {
    return {}
  }
}

export function Contact() {
  const { contact, author } = useBook()
  const { direct, speaking, lead } = contact
  const hasDirect = Boolean(direct.title || direct.line || author.email)
  const hasCards = hasDirect || speaking.is_shown
  return (
    <Section id="contact" title={homeTexts.contactAuthor} lead={lead} className="pt-6 pb-20 sm:pt-8 sm:pb-28">
      <Author />
      <div
        className={`grid items-start gap-6 lg:gap-8 ${hasCards ? 'lg:grid-cols-[1.6fr_1fr]' : 'mx-auto max-w-[46rem]'}`}
      >
        <div className="rounded-lg border border-line bg-surface p-6 sm:p-9">
          <ContactForm />
        </div>
        {hasCards && (
          <div className="grid gap-6 sm:max-lg:grid-cols-2">
            {hasDirect && (
              <Card icon={<Mail />} title={direct.title || homeTexts.writeDirectly} line={direct.line} />
            )}
            {speaking.is_shown && (
              <Card icon={<Mic />} title={speaking.title} line={speaking.line} subject={speaking.subject} />
            )}
          </div>
        )}
      </div>
    </Section>
  )
}

function Author() {
  const { biography, portrait, name } = useBook().author
  if (biography.length === 0 && !portrait) return null
  return (
    <div className="mx-auto mb-12 flex max-w-[52rem] flex-wrap items-center justify-center gap-8 sm:flex-nowrap">
      {portrait && (
        <Picture
          picture={portrait}
          alt={portrait.alt || name}
          sizes="11rem"
          loading="lazy"
          className="size-44 shrink-0 rounded-full object-cover"
        />
      )}
      {biography.length > 0 && (
        <div className="max-w-[44rem] space-y-4 text-lg text-pretty">
          <Prose blocks={biography} />
        </div>
      )}
    </div>
  )
}

type CardProps = { icon: ReactNode; title: string; line: string; subject?: string }

function Card({ icon, title, line, subject }: CardProps) {
  return (
    <div className="rounded-lg border border-line p-6 sm:p-7">
      <span aria-hidden className="text-gold-text">
        {icon}
      </span>
      <h3 className="mt-4 font-display text-2xl">{title}</h3>
      {line && <p className="mt-2 text-pretty text-soft">{line}</p>}
      <p className="mt-4">
        <ContactDetails subject={subject} />
      </p>
    </div>
  )
}

/** To the author's own address when it is known, else to the form. */
function ContactDetails({ subject }: { subject: string | undefined }) {
  const { email } = useBook().author
  const className = 'font-semibold break-words text-gold-text underline underline-offset-4'
  if (!email) {
    return (
      <Anchor to="contact" className={className}>
        {homeTexts.toForm}
      </Anchor>
    )
  }
  const address = `mailto:${encodeURIComponent(email)}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
  return (
    <a href={address} className={className}>
      {email}
    </a>
  )
}

function ContactForm() {
  const { reply_time } = useBook().contact
  const { form, isBusy, field } = useForm(asEntered, sendMessage, { isEmptied: true })
  useEffect(() => {
    if (form.ref.current) restoreDraft(form.ref.current)
  }, [form.ref])

  function write(event: FormEvent<HTMLFormElement>) {
    saveDraft(event.currentTarget)
    void loadMessageSchema()
  }

  return (
    <form {...form} onInput={write}>
      <input type="hidden" name="reply_time" value={reply_time} />
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
        <Button busy={isBusy} type="submit" className="min-h-13 text-lg sm:col-span-2">
          {isBusy ? homeTexts.sending : homeTexts.send}
        </Button>
      </fieldset>
    </form>
  )
}

/** No person sees it: whatever fills it in is a robot. */
function Honeypot() {
  return (
    <div hidden>
      <label htmlFor="contact-website">{homeTexts.website}</label>
      <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
    </div>
  )
}
