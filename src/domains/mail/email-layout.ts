// The frame that all mails share: page, sheet, title and footer, for mail programs in light and dark.
import { type Direction, directionOf } from '#contract/direction.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { html, raw } from 'hono/html'
import type { Secret } from '#platform/mail.ts'

// Text that a stranger typed, made fit for the shop's own mails: short, on one line, without links.

/** Controls, line ends, and formatting that hides or turns text; joiners and marks of a script stay. */
const unseen = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d]]+/gv
/** A dot, in any script's form, with what could be a domain on both sides; mail programs make links of those. */
const linkDot = /(?<=[\p{L}\p{N}\-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}\-]{2})/gv
const scheme = /:(?=\/\/)|(?<=\b(?:mailto|tel|sms|data|javascript)):/giv

/** At most `max` UTF-16 units, an ellipsis included. */
export function plainLine(text: string, max: number): string {
  const line = text
    .replaceAll(unseen, ' ')
    .replaceAll(scheme, ': ')
    .replaceAll(linkDot, (dot) => ` ${dot}`)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > max
    ? `${line
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
    : line
}

export function plainName(name: string): string {
  return plainLine(name, 60)
}

// The blocks that mails consist of, each as HTML and as plain text. `html` escapes every value put into it.

export type Block = {
  html: (direction: Direction) => ReturnType<typeof html>
  text: string
  secrets?: readonly Secret[]
}
type Inline = string | Block

const htmlOf = (content: Inline[], direction: Direction) =>
  content.map((part) => (typeof part === 'string' ? part : part.html(direction)))
const textOf = (content: Inline[]) =>
  content.map((part) => (typeof part === 'string' ? part : part.text)).join('')
const secretsOf = (content: readonly Inline[]) =>
  content.flatMap((part) => (typeof part === 'string' ? [] : (part.secrets ?? [])))

export function paragraph(...content: Inline[]): Block {
  return {
    html: (direction) => html`<p class="ink" style="${styles.paragraph}">${htmlOf(content, direction)}</p>`,
    text: textOf(content),
    secrets: secretsOf(content),
  }
}

/** Text that a person typed: a blank line begins a paragraph. */
export function paragraphs(text: string): Block[] {
  return text.split(/\n{2,}/).map((part) => ({
    html: () => html`<p class="ink" style="${styles.paragraph}">${lines(part)}</p>`,
    text: part,
  }))
}

export function quiet(...content: Inline[]): Block {
  return {
    html: (direction) => html`<p class="soft" style="${styles.quiet}">${htmlOf(content, direction)}</p>`,
    text: textOf(content),
    secrets: secretsOf(content),
  }
}

type Link = {
  /** The path is a right, too. */
  isSecret?: boolean
}

/** Links are for the recipient alone. What one has in its query or fragment is a right, as tokens are there. */
function secretsIn(href: string, { isSecret = false }: Link): Secret[] {
  const [, site = '', path = ''] = /^(https?:\/\/[^/?#]+)\/?(.*)$/i.exec(href) ?? []
  const isForRecipient = !isSecret && !/[?#]/.test(path)
  return path ? [{ text: href, shown: `${site}/…`, isForRecipient }] : []
}

export function button(label: string, href: string, options: Link = {}): Block {
  return {
    html: () =>
      html`<table
        role="presentation"
        border="0"
        cellpadding="0"
        cellspacing="0"
        width="100%"
        style="${styles.buttonTable}"
      >
        <tbody>
          <tr>
            <td>
              <a href="${href}" target="_blank" class="button" style="${styles.button}"
                >${outlookPadding.left}<span style="${styles.buttonLabel}">${label}</span
                >${outlookPadding.right}</a
              >
            </td>
          </tr>
        </tbody>
      </table>`,
    text: `${label} ${href}`,
    secrets: secretsIn(href, options),
  }
}

/** Outlook ignores padding on links; wide, hidden spaces take its place. */
const outlookPadding = {
  left: raw(
    '<!--[if mso]><i style="mso-font-width:400%;mso-text-raise:21" hidden>&#8202;&#8202;&#8202;</i><![endif]-->',
  ),
  right: raw(
    '<!--[if mso]><i style="mso-font-width:400%" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]-->',
  ),
}

export function link(label: string, href: string, options: Link = {}): Block {
  return {
    html: () => html`<a href="${href}" target="_blank" class="soft" style="${styles.link}">${label}</a>`,
    text: `${label} ${href}`,
    secrets: secretsIn(href, options),
  }
}

/** Six digits without a gap: so mail programs offer to fill them in. */
export function code(digits: string): Block {
  return {
    html: () => html`<p class="ink" style="${styles.code}">${digits}</p>`,
    text: digits,
    secrets: [{ text: digits, shown: '…', isForRecipient: false }],
  }
}

export function quotation(text: string): Block {
  return {
    html: (direction) => html`<p class="ink quote" style="${quotationStyle(direction)}">${lines(text)}</p>`,
    text: text.trim(),
  }
}

export function facts(rows: readonly (readonly [name: string, value: string])[]): Block {
  return {
    html: (direction) =>
      html`<table
        role="presentation"
        border="0"
        cellpadding="0"
        cellspacing="0"
        width="100%"
        style="${styles.facts}"
      >
        <tbody>
          ${rows.map(
            ([name, value]) =>
              html`<tr>
                <td class="soft" style="${factNameStyle(direction)}">${name}</td>
                <td class="ink" style="${styles.factValue}">${lines(value, isolated)}</td>
              </tr> `,
          )}
        </tbody>
      </table>`,
    text: rows.map(([name, value]) => `${name}\n${value}`).join('\n'),
  }
}

export function greeting(
  name: string | null | undefined,
  withoutName: string = emailsTexts.shared.dearReader,
): Block {
  return paragraph(name ? fill(emailsTexts.shared.dear, { name: plainName(name) }) : withoutName)
}

export function help(): Block {
  return quiet(emailsTexts.shared.help)
}

/** Keeps the order of an address or a telephone number in a mail that is written in the other direction. */
const isolated = (line: string) => html`<bdi>${line}</bdi>`

function lines(text: string, show: (line: string) => string | ReturnType<typeof html> = (line) => line) {
  return text.split('\n').map((line, index) => (index === 0 ? show(line) : html`<br />${show(line)}`))
}

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
  const [light, dark] = branding.accent
  const direction = directionOf(branding.language)
  const shop = link(branding.title, branding.siteUrl)
  const [sentBefore, sentAfter] = emailsTexts.shared.sentBy.split('{shop}')
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
            ${raw(darkStyles(dark))}
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
                          <img
                            src="${branding.cover.url}"
                            width="56"
                            height="${branding.cover.height}"
                            alt=""
                            style="${styles.cover}"
                          />
                          <p class="brand" style="${styles.brand};color:${light}">${branding.title}</p>
                          <h1 class="ink" style="${styles.title}">${title}</h1>
                          ${blocks.map((block) => [block.html(direction), '\n'])}
                          <hr class="rule" style="${styles.rule}" />
                          <p class="soft" style="${styles.footer}">
                            ${sentBefore}${shop.html(direction)}${sentAfter}
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
    fill(emailsTexts.shared.sentBy, { shop: shop.text }),
  ]
  return { subject, html: document.toString(), text: text.join('\n\n'), secrets: secretsOf(blocks) }
}

/** Invisible characters, so that a mailbox does not show the mail's first lines after a short preview. */
const previewFiller = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff'

export type MailBranding = {
  siteUrl: string
  title: string
  language: string
  /** For light and for dark, as `#rrggbb`. */
  accent: readonly [light: string, dark: string]
  /** A picture, to be shown 56 pixels wide. */
  cover: { url: string; height: number }
  authorEmail: string
  /** In which the author promises to reply to messages; empty without a promise. */
  replyTime: string
}

export type MailComposer = {
  branding: () => Promise<MailBranding>
  /** The way to every email: what `compose` reads of the texts is in the author's words. */
  composeMail: <Made>(compose: (branding: MailBranding) => Promise<Made>) => Promise<Made>
}

// Inline styles of all mails; mail programs ignore style sheets, except for the dark colours.
const serif = "Fraunces, Georgia, 'Times New Roman', serif"
const sans = "Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
const ink = '#1B2440'
const soft = '#55607A'
const line = '#E4DCCB'
const body = `font-family:${sans};font-size:16px;line-height:26px;color:${ink}`

const styles = {
  page: 'background-color:#FAF6EE;margin:0;padding:0',
  margin: 'background-color:#FAF6EE;padding:32px 12px',
  hidden: 'display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0',
  sheet: `max-width:560px;background-color:#FFFFFF;border:1px solid ${line};border-radius:10px;padding:36px 32px 24px;word-break:break-word`,
  cover: 'display:block;border:0;border-radius:3px;margin:0 0 14px',
  brand: `font-family:${serif};font-size:15px;line-height:20px;margin:0 0 20px`,
  title: `font-family:${serif};font-size:28px;line-height:34px;font-weight:600;color:${ink};margin:0 0 16px`,
  paragraph: `${body};margin:0 0 16px`,
  quiet: `font-family:${sans};font-size:14px;line-height:22px;color:${soft};margin:0 0 12px`,
  code: `font-family:${sans};font-size:30px;line-height:38px;font-weight:600;letter-spacing:4px;color:${ink};margin:0 0 20px`,
  buttonTable: 'margin:8px 0 24px',
  button: `display:inline-block;max-width:100%;mso-padding-alt:0px;background-color:${ink};border-radius:10px;color:#FFFFFF;font-family:${sans};font-size:16px;line-height:100%;font-weight:600;padding:14px 24px;text-decoration:none`,
  buttonLabel:
    'display:inline-block;max-width:100%;line-height:120%;mso-padding-alt:0px;mso-text-raise:10.5px',
  facts: `${body};border-top:1px solid ${line};margin:0 0 20px`,
  factValue: 'padding:10px 0;font-weight:500',
  rule: `width:100%;border:none;border-top:1px solid ${line};margin:24px 0 16px`,
  footer: `font-family:${sans};font-size:13px;line-height:20px;color:${soft};margin:0`,
  link: `color:${soft};text-decoration:underline`,
}

// Mail programs do not know the logical sides of CSS, so a style that names a side exists for both directions.

function quotationStyle(direction: Direction): string {
  const start = direction === 'rtl' ? 'right' : 'left'
  return `${body};border-${start}:3px solid #B8862F;padding-${start}:16px;margin:0 0 20px`
}

function factNameStyle(direction: Direction): string {
  const padding = direction === 'rtl' ? '10px 0 10px 16px' : '10px 16px 10px 0'
  return `color:${soft};padding:${padding};vertical-align:top;width:120px`
}

const darkStyles = (accent: string) => `@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: #12172A !important; }
  .sheet { background-color: #1A2138 !important; border-color: #2C3554 !important; }
  .ink { color: #EFE9DC !important; }
  .soft { color: #AEB6CC !important; }
  .brand { color: ${accent} !important; }
  .button { background-color: ${accent} !important; color: #12172A !important; }
  .rule, table { border-color: #2C3554 !important; }
}`
