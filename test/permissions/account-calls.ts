// The routes of accounts, and those that other programs call.
import { randomUUID } from 'node:crypto'
import { admins, everyone, owner, signedIn, type Call } from './call-table.ts'

const credential = { id: 'AA', rawId: 'AA', type: 'public-key' }
const attestation = { ...credential, response: { clientDataJSON: 'AA', attestationObject: 'AA' } }
const assertion = {
  ...credential,
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
}

/** A refused sign-in is no refusal to call: it answers 400. */
export const accountCalls: Record<string, Call> = {
  // Signed and short-lived, as a file's is.
  'GET /api/exports/:token': { path: ({ list }) => list, statuses: everyone(200) },
  'GET /api/backup-copies/:token': { path: () => '/api/backup-copies/none', statuses: everyone(404) },
  'POST /api/mail-previews': { statuses: everyone(404) },
  'GET /api/mails/:token': { path: () => '/api/mails/none', statuses: everyone(404) },

  // Signed, not signed in; and this shop takes no payments.
  'POST /api/stripe/webhook': { body: () => ({}), statuses: everyone(404) },

  'POST /functions/v1/send-purchase-email': {
    body: ({ purchase_id }) => ({ purchaseId: purchase_id }),
    statuses: owner(200),
  },
  'POST /functions/v1/admin-create-user': {
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'secret' }),
    statuses: admins(200),
  },

  'POST /auth/v1/signup': {
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'secret' }),
    statuses: everyone(200),
  },
  'POST /auth/v1/token': {
    path: () => '/auth/v1/token?grant_type=password',
    body: () => ({ email: 'nobody@example.com', password: 'secret' }),
    statuses: everyone(400),
  },
  'POST /auth/v1/verify': { body: () => ({ type: 'signup', token_hash: 'x' }), statuses: everyone(403) },
  'POST /auth/v1/recover': { body: () => ({ email: 'nobody@example.com' }), statuses: everyone(200) },
  'POST /auth/v1/otp': { body: () => ({ email: 'nobody@example.com' }), statuses: everyone(200) },
  'POST /auth/v1/resend': {
    body: () => ({ email: 'nobody@example.com', type: 'signup' }),
    statuses: everyone(200),
  },
  'GET /auth/v1/.well-known/jwks.json': { statuses: everyone(200) },
  'GET /auth/v1/user': { statuses: signedIn(200) },
  'PUT /auth/v1/user': { body: () => ({ data: { display_name: 'Me' } }), statuses: signedIn(200) },
  'GET /auth/v1/reauthenticate': { statuses: signedIn(200) },
  'POST /auth/v1/factors': { body: () => ({ factor_type: 'totp' }), statuses: signedIn(200) },
  'POST /auth/v1/factors/:id/challenge': {
    path: ({ factor_id }) => `/auth/v1/factors/${factor_id}/challenge`,
    statuses: owner(200),
  },
  'POST /auth/v1/factors/:id/verify': {
    path: ({ factor_id }) => `/auth/v1/factors/${factor_id}/verify`,
    body: () => ({ challenge_id: randomUUID(), code: '000000' }),
    statuses: owner(422),
  },
  'DELETE /auth/v1/factors/:id': {
    path: ({ factor_id }) => `/auth/v1/factors/${factor_id}`,
    statuses: owner(200),
  },
  // The factor has gone, and nobody made codes.
  'GET /auth/v1/factors/recovery-codes': { statuses: signedIn(404) },
  'POST /auth/v1/factors/recovery-codes': { statuses: signedIn(422) },
  'POST /auth/v1/factors/recovery-codes/regenerate': { statuses: signedIn(404) },
  'POST /auth/v1/factors/recovery-codes/verify': {
    body: () => ({ code: 'abcd' }),
    statuses: signedIn(422),
  },
  'DELETE /auth/v1/factors/recovery-codes': { statuses: signedIn(404) },
  'GET /auth/v1/passkeys': { statuses: signedIn(200) },
  'POST /auth/v1/passkeys/registration/options': { statuses: signedIn(200) },
  'POST /auth/v1/passkeys/registration/verify': {
    body: () => ({ challenge_id: randomUUID(), credential: attestation }),
    statuses: signedIn(400),
  },
  'POST /auth/v1/passkeys/authentication/options': { statuses: everyone(200) },
  'POST /auth/v1/passkeys/authentication/verify': {
    body: () => ({ challenge_id: randomUUID(), credential: assertion }),
    statuses: everyone(400),
  },
  'PATCH /auth/v1/passkeys/:id': {
    path: () => `/auth/v1/passkeys/${randomUUID()}`,
    body: () => ({ friendly_name: 'Phone' }),
    statuses: signedIn(404),
  },
  'DELETE /auth/v1/passkeys/:id': {
    path: () => `/auth/v1/passkeys/${randomUUID()}`,
    statuses: signedIn(404),
  },
  // Last, for it ends the sessions of the others' calls.
  'POST /auth/v1/logout': { statuses: signedIn(204) },
}
