// Ways to reach the author: the form, a letter, an invitation to speak.
import { Mail, Mic } from '../../components/icons.tsx'
import type { ReactNode } from 'react'
import { book } from '#content/book.ts'
import { contact } from '#content/home.ts'
import { Anchor } from '../../components/anchor.tsx'
import { Section } from '../../components/section.tsx'
import { ContactForm } from './contact-form.tsx'

export function Contact() {
  return (
    <Section id="contact" title="Contact the Author" lead={contact.lead}>
      <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr] lg:gap-8">
        <div className="rounded-lg border border-line bg-surface p-6 sm:p-9">
          <ContactForm />
        </div>
        <div className="grid gap-6 sm:max-lg:grid-cols-2">
          <Card icon={<Mail />} title={contact.direct.title} line={contact.direct.line} />
          <Card
            icon={<Mic />}
            title={contact.speaking.title}
            line={contact.speaking.line}
            subject={contact.speaking.subject}
          />
        </div>
      </div>
    </Section>
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
        <Reach subject={subject} />
      </p>
    </div>
  )
}

/** To the author's own address when it is known, else to the form. */
function Reach({ subject }: { subject: string | undefined }) {
  const { email } = book.author
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
