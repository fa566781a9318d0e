// Says that an email is on its way to the address that was typed, and leads back to the form for another one.
import type { ReactNode } from 'react'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import { Button } from '../components/button.tsx'
import { Message } from './message.tsx'

type MailedProps = { title: string; text: string; email: string; onOther: () => void; children: ReactNode }

export function Mailed({ title, text, email, onOther, children }: MailedProps) {
  const sentTo = fill(siteTexts.mailedTo, { email })
  return (
    <Message
      key="mailed"
      title={title}
      text={<span className="wrap-anywhere">{`${text} ${sentTo}`}</span>}
      isAnswer
    >
      <p className="flex flex-wrap justify-center gap-3">
        <Button look="quiet" onClick={onOther}>
          {siteTexts.otherEmail}
        </Button>
        {children}
      </p>
    </Message>
  )
}
