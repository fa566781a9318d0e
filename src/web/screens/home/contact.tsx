import { Mail, Mic } from '../../components/icons.tsx'
import type { ReactNode } from 'react'
import { useBook } from '../../book.ts'
import { Picture } from '../../picture.tsx'
import { Prose } from '../../prose.tsx'
import { Anchor } from '../../components/anchor.tsx'
import { Section } from '../../components/section.tsx'
import { ContactForm } from './contact-form.tsx'

export function Contact() {
  const { direct, speaking, lead } = useBook().contact
  return (
    <Section id="contact" title="Contact the Author" lead={lead}>
      <Author />
      <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr] lg:gap-8">
        <div className="rounded-lg border border-line bg-surface p-6 sm:p-9">
          <ContactForm />
        </div>
        <div className="grid gap-6 sm:max-lg:grid-cols-2">
          <Card icon={<Mail />} title={direct.title} line={direct.line} />
          {speaking.is_shown && (
            <Card icon={<Mic />} title={speaking.title} line={speaking.line} subject={speaking.subject} />
          )}
        </div>
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
      <p className="mt-2 text-pretty text-soft">{line}</p>
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
        Use the form
      </Anchor>
    )
  }
  const address = `mailto:${email}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
  return (
    <a href={address} className={className}>
      {email}
    </a>
  )
}
