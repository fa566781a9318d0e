// Time-based codes (RFC 6238: SHA-1, six digits, 30 seconds), as every authenticator app has them.
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

export type NewSecret = { secret: string; uri: string; qr_code: string }

/** `qr_code` is bare SVG without "#": auth-js puts "data:image/svg+xml;utf-8," before it as it is. */
export function makeSecret(issuer: string, label: string): NewSecret {
  const secret = new Secret({ size: 20 })
  const uri = new TOTP({ issuer, label, secret }).toString()
  return { secret: secret.base32, uri, qr_code: renderSVG(uri, { border: 2 }) }
}

/** The time step that `code` belongs to: this one, the one before or the one after; undefined when it is wrong. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
