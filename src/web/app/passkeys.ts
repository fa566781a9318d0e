// Passkeys, by auth-js and the browser.
import { authTexts } from '#words/auth.ts'
import { keptOutcome, outcome, type Outcome } from '../accounts.ts'
import { authClient, renewSession } from '../session.ts'
import { useIsAlive } from '../use-page.ts'

/** Passkeys belong to a name: at an address of numbers browsers refuse them. */
const canUse = () => typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(location.hostname)

/** False until the page is alive. */
export function useCanUsePasskeys(): boolean {
  return useIsAlive() && canUse()
}

export async function signInByPasskey(): Promise<Outcome> {
  return ceremony(() => authClient().then((auth) => auth.signInWithPasskey()), keptOutcome)
}

/** As a second factor. */
export async function givePasskey(factorId: string): Promise<Outcome> {
  return ceremony(() => authClient().then((auth) => auth.mfa.webauthn.authenticate({ factorId })))
}

/** The session is renewed: it counts as proven by a second factor then. */
export async function addPasskey(friendlyName: string): Promise<Outcome> {
  let passkeyId: string | undefined
  const added = await ceremony(async () => {
    const { data, error } = await (await authClient()).registerPasskey()
    passkeyId = data?.id
    return { error }
  })
  if (passkeyId === undefined) return added
  await renewSession()
  return friendlyName ? renamePasskey(passkeyId, friendlyName) : added
}

export async function renamePasskey(passkeyId: string, friendlyName: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.passkey.update({ passkeyId, friendlyName })))
}

export async function removePasskey(passkeyId: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.passkey.delete({ passkeyId })))
}

/** Codes that are the browser's begin so; its messages are for programmers. */
const isOfBrowser = (code: string | undefined) => code?.startsWith('ERROR_') === true

async function ceremony(call: Parameters<typeof outcome>[0], run = outcome): Promise<Outcome> {
  const result = await run(call)
  if (!isOfBrowser(result.code)) return result
  const isHere = result.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  return { ...result, problem: isHere ? authTexts.passkeyIsHere : authTexts.passkeyNotUsed }
}
