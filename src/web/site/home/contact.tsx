// The section with the contact form.
import { use, type ReactNode } from 'react'
import { contactPath } from '#contract/paths.ts'
import { FormAnswerContext } from '../../forms/form.ts'
import { fill } from '#words/texts.ts'
import { homeTexts } from '#words/home.ts'
import { Mail, Mic } from '../../components/icons.tsx'
import { Anchor } from '../../components/button.tsx'
import { Section, SideSection } from '../../components/section.tsx'
import { useBook } from '../../shop.ts'
import { Island } from '../../page/island.tsx'
import { Author } from './author.tsx'
import { ContactForm, contactDraft } from './contact-form.tsx'

export function Contact() {
  const { contact, author, sections, is_sample } = useBook()
  const { direct, speaking, lead } = contact
  const answer = use(FormAnswerContext)
  const isSent = answer?.action === contactPath && answer.isSent
  const hasDirect = Boolean(direct.title || direct.line || author.email)
  const isAuthorAbove = sections.some(({ name, is_shown }) => name === 'author' && is_shown)
  const form = (
    <div className="rounded-lg border border-line bg-surface p-6 sm:p-9">
      {isSent && <MessageSent />}
      <Island name="contact" part="form" Part={ContactForm} props={{ replyTime: contact.reply_time }} />
    </div>
  )
  const cards = (hasDirect || speaking.is_shown) && (
    <div className="grid gap-6 sm:max-lg:grid-cols-2">
      {hasDirect && (
        <Card icon={<Mail />} title={direct.title || homeTexts.writeDirectly} line={direct.line} />
      )}
      {speaking.is_shown && (
        <Card icon={<Mic />} title={speaking.title} line={speaking.line} subject={speaking.subject} />
      )}
    </div>
  )
  if (is_sample)
    return (
      <Section
        id="contact"
        title={homeTexts.contactAuthor}
        lead={lead}
        className="pt-6 pb-20 sm:pt-8 sm:pb-28"
      >
        {!isAuthorAbove && <Author />}
        <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr] lg:gap-8">
          {form}
          {cards}
        </div>
      </Section>
    )
  return (
    <SideSection
      id="contact"
      title={homeTexts.contactAuthor}
      size="text-3xl"
      isText={false}
      className="pt-6 pb-20 sm:pt-8 sm:pb-28"
      below={
        <div className="mt-5 space-y-6">
          {lead && <p className="text-lg text-pretty text-soft">{lead}</p>}
          {!isAuthorAbove && <Author />}
          {contact.reply_time && (
            <p className="text-pretty text-soft">{fill(homeTexts.replyTime, { time: contact.reply_time })}</p>
          )}
          {cards}
        </div>
      }
    >
      {form}
    </SideSection>
  )
}

function MessageSent() {
  const { reply_time } = useBook().contact
  const { title, description, promise } = homeTexts.messageSent
  return (
    <div data-sent={contactDraft} role="status" className="mb-6 rounded-md border border-success px-4 py-3">
      <p className="font-semibold">{title}</p>
      <p className="mt-0.5 text-sm text-soft">
        {reply_time ? fill(promise, { time: reply_time }) : description}
      </p>
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

/** Links to the author's own address when it is known, else to the form. */
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
