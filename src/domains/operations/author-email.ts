import type { Services } from '../../services.ts'
import type { Block } from '#domains/mail/email-blocks.ts'
import type { AuthorEmailSetting } from '#contract/operations/author-emails.ts'

export type AuthorEmail = {
  setting: AuthorEmailSetting
  /** Undefined where there is nothing to tell: test payments and free copies are no sales. */
  compose: (services: Services, id: string, siteUrl: string) => Promise<Content | undefined>
}

type Content = { subject: string; title: string; preview: string; children: (Block | false)[] }
