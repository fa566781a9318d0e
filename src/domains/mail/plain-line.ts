// Text that a stranger typed, made fit for the shop's own mails: short, on one line, without links.

/** Controls, line ends, and formatting that hides or turns text; joiners and marks of a script stay. */
const unseen = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d]]+/gv
/** A dot, in any script's form, with what could be a domain on both sides; mail programs make links of those. */
const linkDot = /(?<=[\p{L}\p{N}\-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}\-]{2})/gv
const scheme = /:(?=\/\/)|(?<=\b(?:mailto|tel|sms|data|javascript)):/giv

/** Returns `max` UTF-16 units at most, an ellipsis included. */
export function plainLine(text: string, max: number): string {
  const oneLine = text
    .replaceAll(unseen, ' ')
    .replaceAll(scheme, ': ')
    .replaceAll(linkDot, (dot) => ` ${dot}`)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return oneLine.length > max
    ? `${oneLine
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
    : oneLine
}

export function plainName(name: string): string {
  return plainLine(name, 60)
}
