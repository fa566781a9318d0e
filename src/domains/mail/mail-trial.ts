// The test email of the setup, with advice where the mail server refuses it.
import { z } from 'zod'
import { PermanentFailure } from '#platform/queue.ts'
import { SlowAnswer, type Email, type Mail } from '#platform/mail.ts'
import { PrivateHostError } from '#platform/public-connection.ts'
import type { MailTest } from '#contract/mail/mail-settings.ts'
import { randomUUID } from 'node:crypto'
import { emailsTexts } from '#words/emails.ts'
import { mailProblem, type MailShop } from './shop.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { paragraph, quiet } from './email-blocks.ts'
import { renderEmail, type Rendered, type MailBranding } from './email-layout.ts'

const refusal = z.object({
  message: z.string(),
  code: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
})
type Refusal = z.output<typeof refusal>

const answersSlowly =
  'The server answers slowly. The shop waits for it, up to ten minutes for each email: emails arrive later for that.'

const refusesGreeting =
  'The server ended the connection when the shop said its name: the host of the shop’s address, or the name of the machine where that address is localhost. Give the shop its own address, or another name with ?name= in SMTP_URL, where the shop is started. A busy server does the same: then a later attempt works.'

const explanations: [fits: (refused: Refusal) => boolean, advice: string][] = [
  [
    ({ code }) => code === 'EAUTH' || code === 'ENOAUTH',
    'The server did not accept user and password. Many providers want a password made for programs (an app password, an SMTP key or a token) instead of your own.',
  ],
  [
    ({ code, message }) => code === 'ETLS' || code === 'EREQUIRETLS' || /STARTTLS/i.test(message),
    'The connection could not be encrypted. Choose the encryption that belongs to the port: TLS with 465, STARTTLS with 587.',
  ],
  [
    ({ message }) => /certificate|self.signed|altname/i.test(message),
    'The certificate of the server does not fit its name, so it may be another server. Enter the name that your provider gives.',
  ],
  [
    ({ message }) => /wrong version number|packet length|SSL routines/i.test(message),
    'The server does not begin with encryption on this port. Choose STARTTLS, or port 465 for TLS.',
  ],
  [({ command }) => command === 'EHLO' || command === 'HELO', refusesGreeting],
  [({ message }) => /^Timeout$|Greeting never received/.test(message), answersSlowly],
  [
    ({ code, message }) => code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message),
    'There is no server of this name, or this machine cannot look names up. Look for a typing mistake.',
  ],
  [
    ({ message }) => /ECONNREFUSED/.test(message),
    'Nothing listens on this port of the server. Compare name and port with what your provider gives.',
  ],
  [
    ({ code, message }) =>
      ['ETIMEDOUT', 'ECONNECTION', 'ESOCKET'].includes(code ?? '') ||
      /E(HOST|NET)UNREACH|ETIMEDOUT/.test(message),
    'The server did not answer. Many hosters block these ports for new machines: ask yours to open them, or try another port that your provider names, often 2525.',
  ],
  [
    ({ command }) => command === 'MAIL FROM',
    'The server does not send for this sender. Enter an address that belongs to your account there, or verify its domain with your provider.',
  ],
  [
    ({ command }) => command === 'RCPT TO',
    'The server does not send to your address. A new account may only send to verified addresses until its provider lifts that.',
  ],
  [
    ({ command }) => command === 'DATA',
    'The server took sender and recipient, and refused the mail itself. Often the sender’s domain is not verified yet with the provider.',
  ],
]

const privateHost =
  'Enter the name that your provider gives. A server on the shop’s machine or in its network needs SMTP_PRIVATE_HOSTS=on or SMTP_URL, where the shop is started.'
const unknown = 'Compare the settings with what your provider gives for sending by SMTP.'

export function explainRefusal(error: unknown): Pick<MailTest, 'answer' | 'advice'> {
  // A refusal for good is wrapped, so that its job is not tried again.
  const original = error instanceof PermanentFailure ? error.cause : error
  if (original instanceof SlowAnswer) return { answer: original.message, advice: answersSlowly }
  if (original instanceof PrivateHostError) return { answer: original.message, advice: privateHost }
  const { data } = refusal.safeParse(original)
  if (!data) return { answer: String(error), advice: unknown }
  const explanation = explanations.find(([fits]) => fits(data))
  return { answer: data.response ?? data.message, advice: explanation?.[1] ?? unknown }
}

export function sendTest(shop: MailShop, actor: Actor): Promise<MailTest> {
  return sendTrial(shop, actor, () => shop.composeTestMail(testEmail))
}

/** Sends an email to the admin at once, and returns what the mail server said. Throws mail_setup.no_server. */
export async function sendTrial(
  { db, mail }: MailShop,
  actor: Actor,
  compose: () => Promise<Omit<Email, 'to'>>,
): Promise<MailTest> {
  if (!mail.sendsMail()) throw mailProblem('mail_setup.no_server')
  const to = actor.email
  const outcome = await trySending(mail, { ...(await compose()), to })
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

function testEmail(branding: MailBranding): Promise<Rendered> {
  const { title, preview, text, spam } = emailsTexts.test
  return renderEmail({ title, preview, branding, children: [paragraph(text), quiet(spam)] })
}
