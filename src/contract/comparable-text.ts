// The one form in which texts are compared that somebody typed or pasted.

/**
 * Copied text brings these along: direction marks, zero-width spaces, soft hyphens, word joiners, byte order marks. U+200C
 * and U+200D build letters and emoji, variation selectors choose their form, tags make flags.
 */
const invisible =
  /(\p{RGI_Emoji_Tag_Sequence})|[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u200c\u200d\p{Variation_Selector}]]/gv

export function withoutInvisible(value: string): string {
  return value.replaceAll(invisible, '$1')
}

/** Letters of full width, ligatures and composed letters are the same as plain ones (NFKC). Case stays. */
export function comparable(value: string): string {
  return withoutInvisible(value).normalize('NFKC')
}

/** Reads a code that is typed or pasted: dashes of all kinds become hyphens, digits of every script ASCII. */
export function plainCode(value: string): string {
  return comparable(value)
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .replaceAll(/\p{Dash_Punctuation}/gu, '-')
    .trim()
}

/** Reads a code in which spaces and hyphens only make groups. */
export function ungroupedCode(value: string): string {
  return plainCode(value).replaceAll(/[\s-]/g, '')
}

/** The ten decimal digits of a script stand together in Unicode, in order from 0 (The Unicode Standard, section 4.6). */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return String(before % 10)
}
