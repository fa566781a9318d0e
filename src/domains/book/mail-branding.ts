// The branding of the shop’s mails: names, colors and cover of the published book.
import { withTexts } from '#words/wording.ts'
import type { Services } from '#platform/services.ts'
import { mailCover } from './show-book.ts'
import { findAuthorEmail } from '#domains/accounts/admins.ts'
import type { MailBranding, MailComposer } from '#domains/mail/email-layout.ts'
import { resolveLooks } from '#contract/book/looks.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { readDraft } from './drafts.ts'
import { publishedBook, type Book, type PublishedBook } from './published-book.ts'

export function createMailBranding(
  services: Pick<Services, 'config' | 'settings' | 'db'> & { book: Book },
): MailComposer {
  async function brandingOf({ document, shown, is_own }: PublishedBook): Promise<MailBranding> {
    const { site_url, time_zone } = services.settings.get().shop
    return {
      siteUrl: site_url,
      title: shown.title,
      language: shown.language,
      timeZone: time_zone,
      author: document.author.name,
      is_own,
      colors: resolveLooks(document.looks),
      cover: mailCover(document, site_url),
      authorEmail: await findAuthorEmail(services, document.author.email),
      returns: shown.legal,
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
    async composeTestMail(compose) {
      const shown = await services.book.get()
      const draft = shown.is_own ? undefined : await findDraft(services.db)
      const book = draft ? await publishedBook(draft) : shown
      const branding = await brandingOf(book)
      return withTexts(book.wording, () => compose(draft ? draftBranding(branding, draft) : branding))
    },
  }
}

async function findDraft(db: Services['db']): Promise<BookDocument | undefined> {
  const { document, saved } = await readDraft(db)
  return saved ? document : undefined
}

/** A book without a title is named by its shop's address. The cover that is drawn at its address is the published book's. */
function draftBranding(branding: MailBranding, { title, cover }: BookDocument): MailBranding {
  return {
    ...branding,
    title: title ? branding.title : new URL(branding.siteUrl).host,
    cover: cover ? branding.cover : null,
  }
}
