import type { Services } from '../../services.ts'
import { findAuthorEmail } from '../accounts/author-email.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { resolveLooks } from './contract/looks.ts'
import { mailCover } from './show-cover.ts'
import type { WithBook } from './published-book.ts'

export function createLetterhead(
  services: Pick<Services, 'config' | 'settings' | 'db'> & WithBook,
): WithLetterhead {
  return {
    async letterhead() {
      const { document, shown } = await services.book.get()
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
    },
  }
}
