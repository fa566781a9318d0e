// What a person does with their account, as auth-js does it; a refusal comes back as the words to show.
import type { AuthError, EmailOtpType } from '@supabase/auth-js'
import { authClient } from './session.ts'

/** `code` is GoTrue's; `problem` is undefined when all went well. */
export type Outcome = { problem?: string | undefined; code?: string | undefined }

type Credentials = { email: string; password: string }

export async function signIn(credentials: Credentials): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.signInWithPassword(credentials)))
}

export async function signUp(credentials: Credentials): Promise<Outcome> {
  const options = { emailRedirectTo: `${location.origin}/` }
  return outcome(() => authClient().then((auth) => auth.signUp({ ...credentials, options })))
}

export async function resendVerification(email: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.resend({ type: 'signup', email })))
}

/** The answer is the same for an address that nobody has. */
export async function askForReset(email: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.resetPasswordForEmail(email)))
}

/** Uses the link from a mail up, and signs in. */
export async function pressLink(type: EmailOtpType, token_hash: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.verifyOtp({ type, token_hash })))
}

export async function changePassword(password: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.updateUser({ password })))
}

const unexpected = 'An unexpected error occurred.'

async function outcome(call: () => Promise<{ error: AuthError | null }>): Promise<Outcome> {
  try {
    const { error } = await call()
    if (!error) return {}
    // Without an answer from the server its message is the browser's own, and says nothing to a reader.
    return { problem: error.status ? error.message : unexpected, code: error.code }
  } catch {
    return { problem: unexpected }
  }
}
