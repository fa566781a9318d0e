// What is taken out of a kept mail before an admin sees it. Links to others are theirs alone. A link that signs in or
// confirms an address works from its own mailbox only, the reader's too: else a stolen session could take the account over.
import type { OutboxMail } from '#platform/outbox.ts'

const linkAttribute = / href="([^"]*)"/g
/** But for pictures, which lead nowhere. */
const address = /(?<!src=")\bhttps?:\/\/[^\s<>"]+/gi

type Shown = Pick<OutboxMail, 'html' | 'text'> & { isOwn: boolean; hidesLinks: boolean }

/** For the admin with this email address. */
export function hideLinks({ to, html, text }: OutboxMail, reader: string): Shown {
  const isOwn = to.toLowerCase() === reader.toLowerCase()
  const isShown = (link: string) => isOwn && !link.includes('token_hash=')
  const hideAddress = (link: string) => (isShown(link) ? link : originOf(link))
  const shown = {
    html: html
      .replaceAll(linkAttribute, (attribute, link: string) => (isShown(link) ? attribute : ''))
      .replaceAll(address, hideAddress),
    text: text.replaceAll(address, hideAddress),
  }
  return { ...shown, isOwn, hidesLinks: shown.text !== text || shown.html !== html }
}

function originOf(link: string): string {
  if (!URL.canParse(link)) return '…'
  const { origin, href } = new URL(link)
  return href === `${origin}/` ? link : `${origin}/…`
}
