// Links of an email that somebody else reads: only the recipient sees where they lead.

/** All but pictures, which lead nowhere. */
export const linkAddress = /(?<!src=")\bhttps?:\/\/[^\s<>"]+/gi

export function hideAddress(link: string): string {
  if (!URL.canParse(link)) return '…'
  const { origin, href } = new URL(link)
  return href === `${origin}/` ? link : `${origin}/…`
}
