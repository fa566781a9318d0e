// Makes the client of auth-js.
import { AuthClient } from '@supabase/auth-js'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { deviceId } from './device-id.ts'
import { sessionChanges } from '../page/page-state.ts'
import { storageKey } from './session-key.ts'

export function createAuthClient(): InstanceType<typeof AuthClient> {
  const auth = new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey,
    headers: { [deviceHeader]: deviceId() },
    // An address could hold the session of the link's author; our own links hold a token for a button.
    detectSessionInUrl: false,
    experimental: { recoveryCodes: true },
  })
  auth.onAuthStateChange(() => sessionChanges.set(sessionChanges.get() + 1))
  return auth
}
