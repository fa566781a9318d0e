// The frame that all mails share: page, sheet, title and footer, for mail programs in light and dark.
import type { ReturnTerms } from '#contract/book/shown-book.ts'
import { directionOf } from '#contract/direction.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { html, raw } from 'hono/html'
import type { Secret } from '#platform/mail.ts'
import { type Block, link, secretsOf } from './email-blocks.ts'
import { darkStyles, mailStyles, type MailColors } from './email-styles.ts'

export type Rendered = { subject: string; html: string; text: string; secrets: Secret[] }

type Content = {
  /** The title, unless given. */
  subject?: string
  preview: string
  title: string
  branding: MailBranding
  children: (Block | false)[]
}

/** Renders a mail as HTML and as plain text. Tables carry the layout, because Outlook has no other boxes. */
export async function renderEmail({
  title,
  subject = title,
  preview,
  branding,
  children,
}: Content): Promise<Rendered> {
  const blocks = children.filter((child) => child !== false)
  const direction = directionOf(branding.language)
  const styles = mailStyles(branding.colors, direction)
  const shop = link(branding.title, branding.siteUrl)
  const [sentBefore, sentAfter] = emailsTexts.shared.sentBy.split('{shop}')
  const cover =
    branding.cover &&
    html`<img
      src="${branding.cover.url}"
      width="56"
      height="${branding.cover.height}"
      alt=""
      style="${styles.cover}"
    />`
  const document =
    await html`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
      <html dir="${direction}" lang="${branding.language}">
        <head>
          <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="x-apple-disable-message-reformatting" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <style>
            ${raw(darkStyles(branding.colors))}
          </style>
        </head>
        <body class="page" style="${styles.page}">
          <div style="${styles.hidden}">
            ${preview}
            <div>${previewFiller.repeat(Math.max(0, 150 - preview.length))}</div>
          </div>
          <table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%" align="center">
            <tbody>
              <tr>
                <td style="${styles.margin}">
                  <table
                    role="presentation"
                    border="0"
                    cellpadding="0"
                    cellspacing="0"
                    width="100%"
                    align="center"
                    dir="${direction}"
                    class="sheet"
                    style="${styles.sheet}"
                  >
                    <tbody>
                      <tr>
                        <td>
                          ${cover}
                          <p class="brand" style="${styles.brand}">${branding.title}</p>
                          <h1 class="ink" style="${styles.title}">${title}</h1>
                          ${blocks.map((block) => [block.html(styles), '\n'])}
                          <hr class="rule" style="${styles.rule}" />
                          <p class="soft" style="${styles.footer}">
                            ${sentBefore}${shop.html(styles)}${sentAfter}
                          </p>
                        </td>
                      </tr>
                    </tbody>
                  </table>
                </td>
              </tr>
            </tbody>
          </table>
        </body>
      </html>`
  const text = [
    `${branding.title}\n\n\n${title.toUpperCase()}`,
    ...blocks.map((block) => block.text),
    '-'.repeat(40),
    `${fill(emailsTexts.shared.sentBy, { shop: branding.title })}\n${branding.siteUrl}`,
  ]
  return { subject, html: document.toString(), text: text.join('\n\n'), secrets: secretsOf(blocks) }
}

/** Invisible characters, so that a mailbox does not show the mail's first lines after a short preview. */
const previewFiller = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff'

export type MailBranding = {
  siteUrl: string
  title: string
  language: string
  /** The shop's, in which emails name days and times. */
  timeZone: string
  /** The author’s name; empty while it is not known. */
  author: string
  /** False while the shop shows the sample, whose emails keep its words. */
  is_own: boolean
  colors: MailColors
  /** A picture, to be shown 56 pixels wide; null where the book that is set up has none yet. */
  cover: { url: string; height: number } | null
  authorEmail: string
  returns: ReturnTerms
  /** The time in which the author promises to reply to messages; empty without a promise. */
  replyTime: string
}

export type MailComposer = {
  branding: () => Promise<MailBranding>
  /** The way to every email: what `compose` reads of the texts is in the author's words. */
  composeMail: <Made>(compose: (branding: MailBranding) => Promise<Made>) => Promise<Made>
  /** As `composeMail`, and by what the author has entered while visitors see the sample. */
  composeTestMail: MailComposer['composeMail']
}
