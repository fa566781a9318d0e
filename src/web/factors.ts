// Authenticator apps and recovery codes, by auth-js.
import { outcome, type Outcome } from './accounts.ts'
import { authClient, renewSession } from './session.ts'

/** `picture` is an address of data. */
export type NewApp = { id: string; picture: string; key: string }

export async function startApp(): Promise<Outcome & { app?: NewApp | undefined }> {
  let app: NewApp | undefined
  const started = await outcome(async () => {
    const { data, error } = await (await authClient()).mfa.enroll({ factorType: 'totp' })
    if (data) app = { id: data.id, picture: data.totp.qr_code, key: data.totp.secret }
    return { error }
  })
  return { ...started, app }
}

/** The session is renewed: it hears that its last factor has gone. */
export async function removeApp(factorId: string): Promise<Outcome> {
  const removed = await outcome(() => authClient().then((auth) => auth.mfa.unenroll({ factorId })))
  if (!removed.problem) await renewSession()
  return removed
}

/** Replaces those that there are. */
export async function makeCodes(hasCodes: boolean): Promise<Outcome & { codes?: string[] | undefined }> {
  let codes: string[] | undefined
  const created = await outcome(async () => {
    const { recoveryCodes } = (await authClient()).mfa
    const { data, error } = await (hasCodes ? recoveryCodes.regenerate() : recoveryCodes.generate())
    codes = data?.codes
    return { error }
  })
  return { ...created, codes }
}
