// The dependencies of this domain's functions: all that is open below it, and its own. Each domain adds to the one before.
import type { AuthorEmailName, AuthorEmailSetting } from '#contract/settings/author-emails.ts'
import type { Services } from '#platform/services.ts'
import type { MailKind, ScheduledKind, ScheduledOutcome } from '#contract/mail/mail-kinds.ts'
import type { WebhookEvent } from '#contract/mail/webhook.ts'
import type { SQL } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { Email } from '#platform/mail.ts'
import type { scheduled_emails, webhook_deliveries } from '#tables/mail.ts'
import type { Block } from './email-blocks.ts'
import type { MailBranding, MailComposer } from './email-layout.ts'
import { mailRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export type AuthorEmail = {
  setting: AuthorEmailSetting
  /** Undefined where there is nothing to tell: test payments and free copies are no sales. */
  compose: (services: MailShop, id: string, siteUrl: string) => Promise<Content | undefined>
}

type Content = { subject: string; title: string; preview: string; children: (Block | false)[] }

export type OutgoingMail<Kind = MailKind> = {
  kind: Kind
  email: Email
  purchase_id?: string | undefined
  message_id?: string
  /** A failure for good needs no attention. */
  isUnimportant?: boolean
}

export type ScheduledEmail = Pick<typeof scheduled_emails.$inferSelect, 'about' | 'user_id' | 'version'>

/** The description of a kind; `scheduledEmails` of a shop has all of them. */
export type ScheduledEmailKind = {
  /** True for emails to many, which are kept to the author's limit an hour. */
  isBulk: boolean
  /** Undefined where there is nothing to say to the recipient any more. */
  compose: (db: Db, email: ScheduledEmail, branding: MailBranding) => Promise<OutgoingMail | undefined>
  /** Runs in one transaction with the outcome. */
  onOutcome?: (tx: Transaction, email: ScheduledEmail, outcome: ScheduledOutcome, now: Date) => Promise<void>
}

type WebhookSubject = Pick<
  typeof webhook_deliveries.$inferSelect,
  'subject_id' | 'email' | 'adjustment_id' | 'created_at'
>

export type MailShop = Services &
  MailComposer & {
    authorEmails: Readonly<Record<AuthorEmailName, AuthorEmail>>
    scheduledEmails: Readonly<Record<ScheduledKind, ScheduledEmailKind>>
    /** The `data` of each event as of now; undefined where it is not true any more. */
    webhookData: Readonly<
      Record<
        Exclude<WebhookEvent, 'webhook.test'>,
        (db: Db, subject: WebhookSubject) => Promise<object | undefined>
      > &
        Record<'webhook.test', (db: Db, subject: WebhookSubject) => Promise<object>>
    >
  }

/** Conditions and columns of the orders that mails are about, for mails as `m`. */
export type MailsOfOrders = {
  /** True while what the mail says of an order holds. */
  isStillOwed: SQL
  number: SQL<number | null>
  isAbout: (number: number) => SQL
}

export const mailProblem = problems(mailRefusals)
