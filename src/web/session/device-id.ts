// A random id in local storage. After a sign-in with it, wrong passwords and reset mails from elsewhere do not count
// against this browser. It stays when the session ends.
export const deviceIdKey = 'shop.device'

/** A new one at each call where the browser forbids storage. */
export function deviceId(): string {
  const stored = read()
  if (stored) return stored
  // Unlike `randomUUID` it is there without https.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  try {
    localStorage.setItem(deviceIdKey, hex)
  } catch {
    // The next call makes another id.
  }
  return hex
}

/** True where somebody has signed in or up here, or tried to. */
export function isDeviceKnown(): boolean {
  return read() !== null
}

function read(): string | null {
  try {
    return localStorage.getItem(deviceIdKey)
  } catch {
    return null
  }
}
