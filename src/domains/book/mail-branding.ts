// The branding of the shop’s mails: names, colors and cover of the published book.
import { withTexts } from '#words/wording.ts'
import type { Services } from '#platform/services.ts'
import { mailCover } from './show-book.ts'
import { findAuthorEmail } from '#domains/accounts/admins.ts'
import type { MailBranding, MailComposer } from '#domains/mail/email-layout.ts'
import { resolveLooks } from '#contract/book/looks.ts'
import type { Book, PublishedBook } from './published-book.ts'

export function createMailBranding(
  services: Pick<Services, 'config' | 'settings' | 'db'> & { book: Book },
): MailComposer {
  async function brandingOf({ document, shown, is_own }: PublishedBook): Promise<MailBranding> {
    const site_url = services.settings.get().shop.site_url
    return {
      siteUrl: site_url,
      title: shown.title,
      language: shown.language,
      author: document.author.name,
      is_own,
      colors: resolveLooks(document.looks),
      cover: mailCover(document, site_url),
      authorEmail: await findAuthorEmail(services, document.author.email),
      returnsTo: shown.legal.returns_to,
      replyTime: document.contact.reply_time,
    }
  }
  return {
    branding: async () => brandingOf(await services.book.get()),
    async composeMail(compose) {
      const book = await services.book.get()
      const branding = await brandingOf(book)
      return withTexts(book.wording, () => compose(branding))
    },
  }
}
