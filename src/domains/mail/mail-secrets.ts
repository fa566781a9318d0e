// Hides in emails on a screen what is a right of the recipient’s: a code, or what a link carries.
import { html } from 'hono/html'
import type { Secret } from '#platform/mail.ts'

type Reading = { secrets: readonly Secret[]; isRecipient: boolean }

export function hideInText(page: string, reading: Reading): string {
  return hidden(reading).reduce((rest, { text, shown }) => rest.replaceAll(text, shown), page)
}

const linkAttribute = / href="([^"]*)"/g

/** Takes out the links themselves, too; all of them for another reader than the recipient. */
export async function hideInHtml(page: string, reading: Reading): Promise<string> {
  const secrets = await Promise.all(
    hidden(reading).map(async ({ text, shown }) => ({ shown, text: (await html`${text}`).toString() })),
  )
  const isShown = (link: string) => reading.isRecipient && !secrets.some(({ text }) => text === link)
  const withoutLinks = page.replaceAll(linkAttribute, (attribute, link: string) =>
    isShown(link) ? attribute : '',
  )
  return secrets.reduce((rest, { text, shown }) => rest.replaceAll(text, shown), withoutLinks)
}

/** The longest first, as one may be the beginning of another. */
function hidden({ secrets, isRecipient }: Reading): Secret[] {
  const all = secrets.filter(({ isForRecipient }) => !isRecipient || !isForRecipient)
  return all.toSorted((a, b) => b.text.length - a.text.length)
}
