// What the kinds of mails are called.

/** `sign_up` is "sign up". */
export function kindLabel(kind: string): string {
  return kind.replaceAll('_', ' ')
}
