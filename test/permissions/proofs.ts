// What each writing call of an admin asks for: how long ago the password was given. Reading calls ask for nothing more
// than the session.
import { randomUUID } from 'node:crypto'
import type { Own } from './call-table.ts'

/** A sign-in or the password at most ten minutes old; a sign-in at most a day old; any session. */
export type Needs = 'recent-proof' | 'recent-sign-in' | 'session'

type Variant = { needs: Needs; path?: (own: Own) => string; body?: (own: Own) => unknown }

const account = (role: string) => () => ({
  email: `${randomUUID()}@example.com`,
  password: 'nine good words',
  role,
})
const roleOf = (role: string) => (own: Own) => `/api/admin/users/${own.other_id}/roles/${role}`
const disabled = (id: (own: Own) => string, is_disabled: boolean) => ({
  path: (own: Own) => `/api/admin/users/${id(own)}/disabled`,
  body: () => ({ is_disabled }),
})

/** Who may come in, and with which right. */
const rights: Record<string, Needs | Variant[]> = {
  'POST /functions/v1/admin-create-user': [
    { needs: 'recent-proof', body: account('admin') },
    { needs: 'recent-sign-in', body: account('user') },
  ],
  'POST /api/admin/users': [
    { needs: 'recent-proof', body: account('admin') },
    { needs: 'recent-sign-in', body: account('user') },
  ],
  'POST /api/admin/admins': 'recent-proof',
  'PUT /api/admin/users/:id/roles/:role': [
    { needs: 'recent-proof', path: roleOf('admin') },
    { needs: 'recent-sign-in', path: roleOf('moderator') },
  ],
  'DELETE /api/admin/users/:id/roles/:role': [
    { needs: 'recent-proof', path: roleOf('admin') },
    { needs: 'recent-proof', path: roleOf('moderator') },
  ],
  'PUT /api/admin/users/:id/disabled': [
    { needs: 'recent-proof', ...disabled(({ admin_id }) => admin_id, true) },
    { needs: 'recent-proof', ...disabled(({ admin_id }) => admin_id, false) },
    { needs: 'recent-sign-in', ...disabled(({ other_id }) => other_id, false) },
  ],
  'POST /api/admin/users/:id/factor-reset': 'recent-proof',
  'POST /api/admin/users/:id/address-confirmation': [
    { needs: 'recent-proof', body: () => ({ new_email: 'new@example.com' }) },
  ],
  'DELETE /api/admin/users/:id/sessions': [
    { needs: 'recent-proof', path: ({ admin_id }) => `/api/admin/users/${admin_id}/sessions` },
    { needs: 'recent-sign-in', path: ({ other_id }) => `/api/admin/users/${other_id}/sessions` },
  ],
  // To the owner's own mailbox, and nothing but a way to sign in.
  'POST /api/admin/users/:id/data-offer': 'session',
  'POST /api/admin/users/:id/erasure-offer': 'session',
  // The same, with the link of the sign-up.
  'POST /api/admin/users/:id/verification': 'session',
}

/** Where money and mails go, and secrets. */
const settings: Record<string, Needs | Variant[]> = {
  'PUT /api/admin/settings/:group': 'recent-proof',
  // A picture, as a product's cover.
  'PUT /api/admin/webhook': 'recent-proof',
  'DELETE /api/admin/webhook': 'recent-proof',
  'POST /api/admin/webhook/secret': 'recent-proof',
  'POST /api/admin/webhook/test': 'session',
  'PUT /api/admin/settings/shipping/notice': 'session',
  'DELETE /api/admin/settings/shipping/notice': 'session',
  'PUT /api/admin/payments/connection': [
    { needs: 'recent-proof', body: () => ({ secret_key: `sk_test_${'x'.repeat(24)}` }) },
  ],
  'DELETE /api/admin/payments/connection': 'recent-proof',
  // To the shop's own address, with the key that is stored.
  'POST /api/admin/payments/connection/webhook': 'session',
  'POST /api/admin/payments/connection/confirmation': 'recent-proof',
  // To the admin's own address.
  'POST /api/admin/mail/test': 'session',
  'POST /api/admin/mail/preview': 'session',
  // What was to be sent before mail was set up, to whom it is addressed.
  'POST /api/admin/mails/send': 'session',
  'POST /api/admin/backups': 'session',
  // With the settings that are saved; nothing of the answer but what went wrong is shown.
  'POST /api/admin/backups/try': 'session',
  'POST /api/admin/backups/passphrase': 'recent-proof',
  'PUT /api/admin/backups/passphrase': 'recent-proof',
  'POST /api/admin/backups/copies': 'recent-proof',
}

const paperback = (price: number) => () => ({
  name: 'On paper',
  price,
  format: 'paperback',
  is_digital: false,
})

/** What is sold, for how much, and what is given. */
const sales: Record<string, Needs | Variant[]> = {
  // What leaves less than half of a product's price is worth as much as a gift. The digital book costs 14.99.
  'POST /api/admin/discounts': [
    { needs: 'recent-proof', body: () => ({ code: 'MUCH', percent: 51 }) },
    { needs: 'recent-proof', body: () => ({ code: 'MUCH', amount_off: 7.5 }) },
    { needs: 'session', body: () => ({ code: 'LITTLE', percent: 50 }) },
    {
      needs: 'session',
      body: ({ product_id }) => ({ code: 'LESS', amount_off: 7.49, product_id }),
    },
  ],
  'POST /api/admin/gifts': 'recent-proof',
  'PUT /api/admin/editions/:id/announcement': 'recent-proof',
  'PUT /api/admin/editions/:id/announcement/paused': 'session',
  'POST /api/admin/editions/:id/announcement/preview': 'session',
  'POST /api/admin/excerpt/link': 'session',
  'POST /api/admin/purchases/:id/refund': 'recent-proof',
  'PUT /api/admin/purchases/:id/moves/:move_id': 'recent-proof',
  'POST /api/admin/payments/dismissed/:id/accept': 'recent-proof',
  'POST /api/admin/payments/withdrawal/:id/refund': 'recent-proof',
  'POST /api/admin/payments/unproven_withdrawal/:id/accept': 'recent-proof',
  'POST /api/admin/payments/withdrawal/:id/refuse': 'recent-sign-in',
  'POST /api/admin/payments/held/:id/accept': 'recent-proof',
  'POST /api/admin/payments/held/:id/refund': 'recent-proof',
  'PUT /api/admin/discounts/:id/resumed': 'session',
  'PUT /api/admin/discounts/:id/ended': 'session',
  'POST /api/admin/gifts/check': 'session',
  'DELETE /api/admin/gifts/:id': 'recent-proof',
  'POST /api/admin/payments/held/:id/check': 'session',
  'POST /api/admin/payments/event/:id/again': 'session',
  'POST /api/admin/payments/mail/:id/again': 'session',
  'POST /api/admin/payments/:kind/:id/dismissal': 'session',
  'POST /api/admin/exports': [
    { needs: 'recent-proof', body: () => ({ list: 'users' }) },
    { needs: 'recent-proof', body: () => ({ list: 'purchases' }) },
    { needs: 'recent-sign-in', body: () => ({ list: 'sales' }) },
  ],
  'POST /api/admin/products': [
    { needs: 'recent-proof', body: paperback(0) },
    { needs: 'recent-sign-in', body: paperback(1) },
  ],
  'PATCH /api/admin/products/:id': [
    { needs: 'recent-proof', body: () => ({ price: 0 }) },
    { needs: 'recent-proof', body: () => ({ release_on: null }) },
    { needs: 'recent-sign-in', body: () => ({ price: 1 }) },
  ],
  'PUT /api/admin/products/:id/parts': 'recent-sign-in',
  'PUT /api/admin/products/:id/archived': 'recent-sign-in',
  'POST /api/admin/products/:id/editions': 'recent-sign-in',
  'POST /api/admin/products/:id/editions/check': 'session',
  'POST /api/admin/products/:id/editions/:file_id/current': 'recent-sign-in',
  'POST /api/admin/editions/:id/link': 'recent-sign-in',
  'POST /api/admin/products/:id/copies': 'recent-sign-in',
  'PUT /api/admin/products/order': 'session',
  'PUT /api/admin/products/:id/cover': 'session',
  'DELETE /api/admin/products/:id/cover': 'session',
  'PUT /api/admin/products/:id/stock': 'session',
  'POST /api/admin/pictures': 'session',
}

/** The draft, which nobody sees before it is published. */
const book: Record<string, Needs | Variant[]> = {
  'POST /api/admin/book/publish': 'recent-sign-in',
  'POST /api/admin/setup/open': 'recent-sign-in',
  'POST /api/admin/book/restore': 'session',
  'PUT /api/admin/book/draft': 'session',
  'POST /api/admin/book/discard': 'session',
  'POST /api/admin/book/preview': 'session',
  'POST /api/admin/setup/file': 'session',
  'PUT /api/admin/setup/step': 'session',
  'PUT /api/admin/setup/preview': 'session',
  'PUT /api/admin/setup/time-zone': 'session',
  'PUT /api/admin/setup/offers': [
    { needs: 'recent-proof', body: () => ({ offers: [{ format: 'digital', price: 0 }] }) },
    { needs: 'session', body: () => ({ offers: [{ format: 'digital', price: 1 }] }) },
  ],
}

/** The daily work: it can be seen and undone, and is in the audit log. */
const dailyWork: Record<string, Needs> = {
  'PUT /api/admin/excerpt': 'recent-sign-in',
  'DELETE /api/admin/excerpt': 'recent-sign-in',
  'POST /api/admin/purchases/:id/receipt': 'session',
  'POST /api/admin/purchases/:id/locked-buyer': 'recent-proof',
  'POST /api/admin/purchases/:id/links': 'recent-proof',
  'DELETE /api/admin/purchases/:id/links': 'recent-proof',
  'POST /api/admin/mails/:id/again': 'session',
  'POST /api/admin/shipments/shipped': 'session',
  'DELETE /api/admin/shipments/:id/shipped': 'session',
  'PUT /api/admin/shipments/:id/tracking': 'session',
  'PUT /api/admin/shipments/:id/address': 'recent-sign-in',
  'PATCH /api/admin/messages/:id': 'session',
  'POST /api/admin/subscribers/:id/end': 'session',
  'DELETE /api/admin/subscribers/:id': 'session',
  'POST /api/admin/subscribers/end': 'recent-proof',
  'DELETE /api/admin/messages/:id': 'session',
  'POST /api/admin/messages/:id/restore': 'session',
  'PUT /api/admin/messages/:id/replies/:reply_id': 'session',
  'POST /api/admin/messages/:id/preview': 'session',
  'PUT /api/admin/snippets/:id': 'session',
  'DELETE /api/admin/snippets/:id': 'session',
  'POST /api/admin/uploads': 'session',
  'PATCH /api/admin/uploads/:id': 'session',
  'DELETE /api/admin/uploads/:id': 'session',
}

export const proofs: Record<string, Needs | Variant[]> = {
  ...rights,
  ...settings,
  ...sales,
  ...book,
  ...dailyWork,
}
