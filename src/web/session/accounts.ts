// Calls of GoTrue’s contract from the browser: sign-in, sign-up, and changes of the account.
import { authTexts } from '#words/auth.ts'
import type { AuthError, EmailOtpType } from '@supabase/auth-js'
import { outagesTexts } from '#words/site.ts'
import { siteTexts } from '#words/site.ts'
import { isDisconnected } from '../notices/send.ts'
import { authClient, pendingSession, storedSession, keepsStorage } from './session.ts'
import type { FieldProblems } from '#contract/field-rules.ts'

/** `code` is GoTrue's; `problem` is undefined when all went well. */
export type Outcome = { problem?: string | undefined; code?: string | undefined }

export type Credentials = { email: string; password: string }

export async function signIn(credentials: Credentials): Promise<Outcome> {
  return signInOutcome(() => authClient().then((auth) => auth.signInWithPassword(credentials)))
}

export async function signUp(credentials: Credentials, next: string): Promise<Outcome> {
  const options = { emailRedirectTo: location.origin + next }
  return outcome(() => authClient().then((auth) => auth.signUp({ ...credentials, options })))
}

export async function resendVerification(email: string, next: string): Promise<Outcome> {
  const options = { emailRedirectTo: location.origin + next }
  return outcome(() => authClient().then((auth) => auth.resend({ type: 'signup', email, options })))
}

/** The response is the same for an address that nobody has. */
export async function askForReset(email: string, next: string): Promise<Outcome> {
  const options = { redirectTo: location.origin + next }
  return outcome(() => authClient().then((auth) => auth.resetPasswordForEmail(email, options)))
}

export async function pressLink(type: EmailOtpType, token_hash: string): Promise<Outcome> {
  return signInOutcome(() => authClient().then((auth) => auth.verifyOtp({ type, token_hash })))
}

/** No session begins where the other mailbox is missing, or where the old one confirmed last. */
type AddressOutcome = Outcome & { state?: 'waits' | 'changed' | 'signedIn' | undefined }

export async function pressAddressLink(token_hash: string): Promise<AddressOutcome> {
  let state: AddressOutcome['state']
  const pressed = await outcome(async () => {
    const { data, error } = await (await authClient()).verifyOtp({ type: 'email_change', token_hash })
    state = data.session ? 'signedIn' : data.user ? 'changed' : 'waits'
    return { error }
  })
  return { ...pressed, state }
}

/** The response is the same for an address that nobody has. */
export async function askForCode(email: string, next: string): Promise<Outcome> {
  const options = { emailRedirectTo: location.origin + next, shouldCreateUser: false }
  return outcome(() => authClient().then((auth) => auth.signInWithOtp({ email, options })))
}

type MailedCode = { email: string; code: string; type: 'signup' | 'email' }

export async function giveMailedCode({ email, code: token, type }: MailedCode): Promise<Outcome> {
  return signInOutcome(() => authClient().then((auth) => auth.verifyOtp({ email, token, type })))
}

export async function changePassword(password: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.updateUser({ password })))
}

export async function changeName(display_name: string | null): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.updateUser({ data: { display_name } })))
}

const confirmed = () => ({ emailRedirectTo: `${location.origin}/account` })

export async function changeAddress(email: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.updateUser({ email }, confirmed())))
}

/** `email` is the present address. */
export async function resendAddressChange(email: string): Promise<Outcome> {
  const resend = { type: 'email_change' as const, email, options: confirmed() }
  return outcome(() => authClient().then((auth) => auth.resend(resend)))
}

/** Mails to the account's own address; the code is a proof, and signs nobody in. */
export async function askForProofCode(): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.reauthenticate()))
}

export async function signOutOthers(): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.signOut({ scope: 'others' })))
}

export async function giveCode(factorId: string, code: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.mfa.challengeAndVerify({ factorId, code })))
}

export async function giveRecoveryCode(code: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.mfa.recoveryCodes.verify({ code })))
}

function unknownProblem(): string {
  return isDisconnected() ? siteTexts.offline : authTexts.unexpected
}

/** True for one of the shop's messages, any other is a proxy's: auth-js keeps only the message of a 5xx response. */
const isOwnText = (message: string) => Object.values(outagesTexts).some((text) => text === message)

type Failure = Pick<AuthError, 'name' | 'message' | 'code'>

/** Makes the outcome of a call to auth-js. */
export async function outcome(call: () => Promise<{ error: Failure | null }>): Promise<Outcome> {
  try {
    const { error } = await call()
    if (!error) return {}
    if (error.name === 'AuthSessionMissingError') {
      return { problem: authTexts.sessionEnded, code: 'session_not_found' }
    }
    // A message without a response from the shop is the browser's own, or a proxy's, and says nothing to a user.
    const isOwn = error.code !== undefined || isOwnText(error.message)
    return { problem: isOwn ? error.message : unknownProblem(), code: error.code }
  } catch (error) {
    if (error instanceof DOMException && ['QuotaExceededError', 'SecurityError'].includes(error.name))
      return notStored()
    // The file belongs to another build and is not there any more.
    const isOutdated = /dynamically imported module|module script/i.test(String(error))
    return { problem: isOutdated && !isDisconnected() ? authTexts.loadAgain : unknownProblem() }
  }
}

/** Serves a call that signs in: without storage, auth-js forgets the session at once or throws (`outcome`). */
export async function signInOutcome(call: Parameters<typeof outcome>[0]): Promise<Outcome> {
  const result = await outcome(call)
  const isLost = !result.problem && !storedSession() && !pendingSession() && !keepsStorage()
  return isLost ? notStored() : result
}

const notStored = (): Outcome => ({ problem: authTexts.sessionNotStored, code: 'session_not_kept' })

/** The browser accepts some email addresses that the shop refuses. */
const fields: Record<string, 'email' | 'password'> = {
  validation_failed: 'email',
  weak_password: 'password',
  invalid_credentials: 'password',
}

/** Marks only the field that a refusal is about. Empty where no field is to blame: the shop is away, or was asked too often. */
export function fieldProblems({ problem, code = '' }: Outcome): FieldProblems {
  const field = fields[code]
  return field && problem ? { [field]: problem } : {}
}
