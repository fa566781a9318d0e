import type { Services } from '#platform/services.ts'
import { withTexts } from '#words/with-texts.ts'
import { findAuthorEmail } from '#domains/accounts/author-email.ts'
import type { Letterhead, WithLetterhead } from '#domains/mail/letterhead.ts'
import { resolveLooks } from '#contract/book/looks.ts'
import { mailCover } from './show-cover.ts'
import type { PublishedBook, WithBook } from './published-book.ts'

export function createLetterhead(
  services: Pick<Services, 'config' | 'settings' | 'db'> & WithBook,
): WithLetterhead {
  async function letterheadOf({ document, shown }: PublishedBook): Promise<Letterhead> {
    const site_url = services.settings.get().shop.site_url
    return {
      siteUrl: site_url,
      title: shown.title,
      language: shown.language,
      accent: resolveLooks(document.looks).gold_text,
      cover: mailCover(document, site_url),
      authorEmail: await findAuthorEmail(services, document.author.email),
      replyTime: document.contact.reply_time,
    }
  }
  return {
    letterhead: async () => letterheadOf(await services.book.get()),
    async composeMail(compose) {
      const book = await services.book.get()
      const letterhead = await letterheadOf(book)
      return withTexts(book.wording, () => compose(letterhead))
    },
  }
}
