import { randomUUID } from 'node:crypto'
import type { Mail } from '#platform/mail.ts'
import { emailsTexts } from '#words/emails.ts'
import { mailProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { paragraph, quiet } from './email-blocks.ts'
import { renderEmail, type Rendered } from './email-layout.ts'
import type { Letterhead, WithLetterhead } from './letterhead.ts'
import type { MailTest } from '#contract/mail/mail-test.ts'
import { explainRefusal } from './explain-refusal.ts'

type Needs = Pick<Services, 'db' | 'mail'> & WithLetterhead

export async function sendTest({ db, mail, composeMail }: Needs, actor: Actor): Promise<MailTest> {
  if (mail.isKept()) throw mailProblem('mail_setup.no_server')
  const to = actor.email
  const outcome = await trySending(mail, { to, ...(await composeMail(testEmail)) })
  const detail = { accepted: outcome.is_accepted, answer: outcome.answer }
  await recordAuditEvent(db, actor, { action: 'mails.tested', subject: to, detail })
  return { to, ...outcome }
}

async function trySending(mail: Mail, email: Parameters<Mail['send']>[0]): Promise<Omit<MailTest, 'to'>> {
  try {
    return { is_accepted: true, answer: (await mail.send(email, randomUUID())) ?? '', advice: '' }
  } catch (error) {
    return { is_accepted: false, ...explainRefusal(error) }
  }
}

function testEmail(letterhead: Letterhead): Promise<Rendered> {
  const { title, preview, text, spam } = emailsTexts.test
  return renderEmail({ title, preview, letterhead, children: [paragraph(text), quiet(spam)] })
}
