// A password of 12 letters, digits and signs, from a cryptographic source.
const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*'
const length = 12

/** Bytes that would favor the first characters are discarded. */
export function generatePassword(): string {
  const fair = 256 - (256 % characters.length)
  let password = ''
  while (password.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    for (const byte of bytes)
      if (byte < fair && password.length < length) password += characters[byte % characters.length]
  }
  return password
}
