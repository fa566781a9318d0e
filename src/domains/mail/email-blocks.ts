// The blocks that mails consist of, each as HTML and as plain text. `html` escapes every value put into it.
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { html, raw } from 'hono/html'
import type { Secret } from '#platform/mail.ts'
import { plainName } from './plain-line.ts'
import type { MailStyles } from './email-styles.ts'

export type Block = {
  html: (styles: MailStyles) => ReturnType<typeof html>
  text: string
  secrets?: readonly Secret[]
}
type Inline = string | Block

const htmlOf = (content: Inline[], styles: MailStyles) =>
  content.map((part) => (typeof part === 'string' ? part : part.html(styles)))
const textOf = (content: Inline[]) =>
  content.map((part) => (typeof part === 'string' ? part : part.text)).join('')
export const secretsOf = (content: readonly Inline[]) =>
  content.flatMap((part) => (typeof part === 'string' ? [] : (part.secrets ?? [])))

export function paragraph(...content: Inline[]): Block {
  return {
    html: (styles) => html`<p class="ink" style="${styles.paragraph}">${htmlOf(content, styles)}</p>`,
    text: textOf(content),
    secrets: secretsOf(content),
  }
}

/** Text that a person typed: a blank line begins a paragraph. */
export function paragraphs(text: string): Block[] {
  return text.split(/\n{2,}/).map((part) => ({
    html: (styles) => html`<p class="ink" style="${styles.paragraph}">${lines(part)}</p>`,
    text: part,
  }))
}

export function quiet(...content: Inline[]): Block {
  return {
    html: (styles) => html`<p class="soft" style="${styles.quiet}">${htmlOf(content, styles)}</p>`,
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
    html: (styles) =>
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
    html: (styles) =>
      html`<a href="${href}" target="_blank" class="soft" style="${styles.link}">${label}</a>`,
    text: `${label} ${href}`,
    secrets: secretsIn(href, options),
  }
}

/** Six digits without a gap: so mail programs offer to fill them in. */
export function code(digits: string): Block {
  return {
    html: (styles) => html`<p class="ink" style="${styles.code}">${digits}</p>`,
    text: digits,
    secrets: [{ text: digits, shown: '…', isForRecipient: false }],
  }
}

export function quotation(text: string): Block {
  return {
    html: (styles) => html`<p class="ink quote" style="${styles.quotation}">${lines(text)}</p>`,
    text: text.trim(),
  }
}

/** A sum stands below a rule. */
export type Fact = readonly [name: string, value: string, look?: 'sum']

export function facts(rows: readonly Fact[]): Block {
  return {
    html: (styles) =>
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
            ([name, value, look]) =>
              html`<tr>
                <td class="soft ${look}" style="${look ? styles.sumName : styles.factName}">${name}</td>
                <td class="ink ${look}" style="${look ? styles.sumValue : styles.factValue}">
                  ${lines(value, isolated)}
                </td>
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
