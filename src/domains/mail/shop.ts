// What the functions of this domain get: all that is open below it, and its own. Each domain adds to the one before.
import type { AuthorEmailName, AuthorEmailSetting } from '#contract/operations/author-emails.ts'
import type { Services } from '#platform/services.ts'
import type { Block, MailComposer } from './email-layout.ts'

export type AuthorEmail = {
  setting: AuthorEmailSetting
  /** Undefined where there is nothing to tell: test payments and free copies are no sales. */
  compose: (services: MailShop, id: string, siteUrl: string) => Promise<Content | undefined>
}

type Content = { subject: string; title: string; preview: string; children: (Block | false)[] }

export type MailShop = Services &
  MailComposer & { authorEmails: Readonly<Record<AuthorEmailName, AuthorEmail>> }
