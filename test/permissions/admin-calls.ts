// The routes of the admin area, but those of catalogue-calls.ts.
import { randomUUID } from 'node:crypto'
import { someAddress } from '../addresses.ts'
import { admins, type Call } from './call-table.ts'

export const adminCalls: Record<string, Call> = {
  'GET /api/admin/sales': { statuses: admins(200) },
  'GET /api/admin/sales/chart': { statuses: admins(200) },
  'GET /api/admin/sales/report': {
    path: () => '/api/admin/sales/report?from=2026-01-01&to=2026-01-31',
    statuses: admins(200),
  },

  'GET /api/admin/settings/:group': { path: () => '/api/admin/settings/shop', statuses: admins(200) },
  'PUT /api/admin/settings/:group': {
    path: () => '/api/admin/settings/shop',
    body: () => ({ revision: 0, values: {} }),
    statuses: admins(200),
  },
  'GET /api/admin/webhook': { statuses: admins(200) },
  'PUT /api/admin/webhook': { body: () => ({ url: 'http://hooks.example' }), statuses: admins(422) },
  'DELETE /api/admin/webhook': { body: () => ({}), statuses: admins(200) },
  // This shop has no webhook.
  'POST /api/admin/webhook/secret': { body: () => ({}), statuses: admins(409) },
  'POST /api/admin/webhook/test': { body: () => ({}), statuses: admins(409) },
  'GET /api/admin/settings/shipping/notice': { statuses: admins(200) },
  // An upload that is not there.
  'PUT /api/admin/settings/shipping/notice': {
    body: () => ({ language: 'de', upload_id: '0'.repeat(32) }),
    statuses: admins(404),
  },
  'DELETE /api/admin/settings/shipping/notice': {
    body: () => ({ language: 'de' }),
    statuses: admins(200),
  },
  'GET /api/admin/first-steps': { statuses: admins(200) },
  'GET /api/admin/address': { statuses: admins(200) },
  'POST /api/admin/exports': { body: () => ({ list: 'users' }), statuses: admins(200) },
  'GET /api/admin/admins': { statuses: admins(200) },
  'POST /api/admin/admins': {
    body: () => ({ email: `${randomUUID()}@example.com` }),
    statuses: admins(200),
  },
  'GET /api/admin/users': { statuses: admins(200) },
  'POST /api/admin/users': {
    body: () => ({ email: `${randomUUID()}@example.com`, password: 'secret' }),
    statuses: admins(201),
  },
  'GET /api/admin/users/:id': {
    path: ({ other_id }) => `/api/admin/users/${other_id}`,
    statuses: admins(200),
  },
  'PUT /api/admin/users/:id/roles/:role': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/roles/moderator`,
    body: () => ({}),
    statuses: admins(200),
  },
  'DELETE /api/admin/users/:id/roles/:role': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/roles/moderator`,
    statuses: admins(200),
  },
  'PUT /api/admin/users/:id/disabled': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/disabled`,
    body: () => ({ is_disabled: false }),
    statuses: admins(200),
  },
  'DELETE /api/admin/users/:id/sessions': {
    path: () => `/api/admin/users/${randomUUID()}/sessions`,
    statuses: admins(404),
  },
  'POST /api/admin/users/:id/factor-reset': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/factor-reset`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/users/:id/address-confirmation': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/address-confirmation`,
    body: () => ({ new_email: 'new@example.com' }),
    statuses: admins(409),
  },
  'POST /api/admin/users/:id/data-offer': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/data-offer`,
    body: () => ({}),
    statuses: admins(200),
  },
  'POST /api/admin/users/:id/erasure-offer': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/erasure-offer`,
    body: () => ({}),
    statuses: admins(200),
  },
  'POST /api/admin/users/:id/verification': {
    path: ({ other_id }) => `/api/admin/users/${other_id}/verification`,
    body: () => ({}),
    statuses: admins(409),
  },
  'GET /api/admin/purchases': { statuses: admins(200) },
  'GET /api/admin/purchases/:id': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}`,
    statuses: admins(200),
  },
  'POST /api/admin/purchases/:id/locked-buyer': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/locked-buyer`,
    body: () => ({}),
    statuses: admins(404),
  },
  'POST /api/admin/purchases/:id/receipt': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/receipt`,
    body: () => ({}),
    statuses: admins(200),
  },
  // It was bought with an account.
  'POST /api/admin/purchases/:id/links': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/links`,
    statuses: admins(404),
  },
  'DELETE /api/admin/purchases/:id/links': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/links`,
    statuses: admins(200),
  },
  'PUT /api/admin/purchases/:id/moves/:move_id': {
    path: () => `/api/admin/purchases/${randomUUID()}/moves/${randomUUID()}`,
    body: () => ({ email: 'another@example.com', reason: 'A typing error' }),
    statuses: admins(404),
  },
  'POST /api/admin/mails/:id/again': {
    path: () => `/api/admin/mails/${randomUUID()}/again`,
    body: () => ({}),
    statuses: admins(409),
  },
  'GET /api/admin/manual': { statuses: admins(200) },
  'GET /api/admin/manual/:name': { path: () => '/api/admin/manual/sales', statuses: admins(200) },
  'POST /api/admin/purchases/:id/refund': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/refund`,
    body: () => ({ amount: 0.01 }),
    statuses: admins(202),
  },
  'GET /api/admin/shipments': { statuses: admins(200) },
  'GET /api/admin/shipments/slips': {
    path: ({ purchase_id }) => `/api/admin/shipments/slips?ids=${purchase_id}`,
    statuses: admins(200),
  },
  'POST /api/admin/shipments/shipped': {
    body: ({ purchase_id }) => ({ parcels: [{ purchase_id }] }),
    statuses: admins(200),
  },
  'DELETE /api/admin/shipments/:id/shipped': {
    path: ({ purchase_id }) => `/api/admin/shipments/${purchase_id}/shipped`,
    statuses: admins(404),
  },
  'PUT /api/admin/shipments/:id/tracking': {
    path: ({ purchase_id }) => `/api/admin/shipments/${purchase_id}/tracking`,
    body: () => ({ carrier: 'USPS' }),
    statuses: admins(404),
  },
  'PUT /api/admin/shipments/:id/address': {
    path: ({ purchase_id }) => `/api/admin/shipments/${purchase_id}/address`,
    body: () => someAddress,
    statuses: admins(404),
  },
  'GET /api/admin/purchases/:id/evidence': {
    path: ({ purchase_id }) => `/api/admin/purchases/${purchase_id}/evidence`,
    statuses: admins(200),
  },
  'GET /api/admin/counts': { statuses: admins(200) },
  'GET /api/admin/today': { statuses: admins(200) },
  'GET /api/admin/payments': { statuses: admins(200) },
  'GET /api/admin/payments/count': { statuses: admins(200) },
  // Nothing is held, refused or lost here.
  'POST /api/admin/payments/held/:id/check': {
    path: ({ purchase_id }) => `/api/admin/payments/held/${purchase_id}/check`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/held/:id/accept': {
    path: ({ purchase_id }) => `/api/admin/payments/held/${purchase_id}/accept`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/dismissed/:id/accept': {
    path: ({ purchase_id }) => `/api/admin/payments/dismissed/${purchase_id}/accept`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/withdrawal/:id/refund': {
    path: () => `/api/admin/payments/withdrawal/${randomUUID()}/refund`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/withdrawal/:id/refuse': {
    path: () => `/api/admin/payments/withdrawal/${randomUUID()}/refuse`,
    body: () => ({ sentence: 'No' }),
    statuses: admins(409),
  },
  'POST /api/admin/payments/unproven_withdrawal/:id/accept': {
    path: () => `/api/admin/payments/unproven_withdrawal/${randomUUID()}/accept`,
    body: ({ purchase_id }) => ({ purchase_id }),
    statuses: admins(409),
  },
  'POST /api/admin/payments/held/:id/refund': {
    path: ({ purchase_id }) => `/api/admin/payments/held/${purchase_id}/refund`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/event/:id/again': {
    path: () => '/api/admin/payments/event/evt_1/again',
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/mail/:id/again': {
    path: () => `/api/admin/payments/mail/${randomUUID()}/again`,
    body: () => ({}),
    statuses: admins(409),
  },
  'POST /api/admin/payments/:kind/:id/dismissal': {
    path: () => `/api/admin/payments/mail/${randomUUID()}/dismissal`,
    body: () => ({ note: 'Seen' }),
    statuses: admins(409),
  },
  'GET /api/admin/excerpt': { statuses: admins(200) },
  // This shop has no excerpt.
  'POST /api/admin/excerpt/link': { statuses: admins(404) },
  'PUT /api/admin/excerpt': { body: () => ({ upload_id: '0'.repeat(32) }), statuses: admins(404) },
  'DELETE /api/admin/excerpt': { statuses: admins(200) },
  'GET /api/admin/subscribers': { statuses: admins(200) },
  'POST /api/admin/subscribers/:id/end': {
    path: () => `/api/admin/subscribers/${randomUUID()}/end`,
    statuses: admins(404),
  },
  'DELETE /api/admin/subscribers/:id': {
    path: () => `/api/admin/subscribers/${randomUUID()}`,
    statuses: admins(404),
  },
  'POST /api/admin/subscribers/end': { statuses: admins(200) },
  'GET /api/admin/messages': { statuses: admins(200) },
  'GET /api/admin/messages/:id': {
    path: () => `/api/admin/messages/${randomUUID()}`,
    statuses: admins(404),
  },
  'PUT /api/admin/messages/:id/replies/:reply_id': {
    path: () => `/api/admin/messages/${randomUUID()}/replies/${randomUUID()}`,
    body: () => ({ body: 'Peace.' }),
    statuses: admins(404),
  },
  'POST /api/admin/messages/:id/preview': {
    path: () => `/api/admin/messages/${randomUUID()}/preview`,
    body: () => ({ body: 'Peace.' }),
    statuses: admins(404),
  },
  'GET /api/admin/snippets': { statuses: admins(200) },
  'PUT /api/admin/snippets/:id': {
    path: () => `/api/admin/snippets/${randomUUID()}`,
    body: () => ({ title: 'Greeting', body: 'Peace.' }),
    statuses: admins(200),
  },
  'DELETE /api/admin/snippets/:id': {
    path: () => `/api/admin/snippets/${randomUUID()}`,
    statuses: admins(404),
  },
  'PATCH /api/admin/messages/:id': {
    path: () => `/api/admin/messages/${randomUUID()}`,
    body: () => ({ is_read: true }),
    statuses: admins(404),
  },
  'DELETE /api/admin/messages/:id': {
    path: () => `/api/admin/messages/${randomUUID()}`,
    statuses: admins(404),
  },
  'POST /api/admin/messages/:id/restore': {
    path: () => `/api/admin/messages/${randomUUID()}/restore`,
    body: () => ({}),
    statuses: admins(404),
  },
  'GET /api/admin/mail/sender': { statuses: admins(200) },
  'GET /api/admin/payments/connection': { statuses: admins(200) },
  'PUT /api/admin/payments/connection': { body: () => ({ secret_key: 'pk_test_x' }), statuses: admins(422) },
  'POST /api/admin/payments/connection/webhook': { statuses: admins(409) },
  'POST /api/admin/payments/connection/confirmation': {
    body: () => ({ site_url: 'https://elsewhere.example' }),
    statuses: admins(409),
  },
  'DELETE /api/admin/payments/connection': { body: () => ({}), statuses: admins(200) },
  // No mail server is set here.
  'POST /api/admin/mail/preview': { body: () => ({ token: 'none' }), statuses: admins(404) },
  'POST /api/admin/mail/test': { body: () => ({}), statuses: admins(409) },
  'GET /api/admin/mails': { statuses: admins(200) },
  'POST /api/admin/mails/send': { statuses: admins(409) },
  'GET /api/admin/mails/:id': { path: () => `/api/admin/mails/${randomUUID()}`, statuses: admins(404) },
  'GET /api/admin/audit': { statuses: admins(200) },
  'GET /api/admin/security-events': { statuses: admins(200) },
  'GET /api/admin/backups': { statuses: admins(200) },
  'POST /api/admin/backups': { body: () => ({ kind: 'restore' }), statuses: admins(422) },
  // No second place and no passphrase are set here.
  'POST /api/admin/backups/try': { body: () => ({}), statuses: admins(409) },
  'POST /api/admin/backups/passphrase': { body: () => ({}), statuses: admins(200) },
  'PUT /api/admin/backups/passphrase': {
    body: () => ({ offer: 'none', passphrase: 'none' }),
    statuses: admins(409),
  },
  'POST /api/admin/backups/copies': { body: () => ({}), statuses: admins(409) },
  // The tus protocol has its own complaints: no version was named.
  'POST /api/admin/uploads': { body: () => ({}), statuses: admins(412) },
  'GET /api/admin/uploads/:id': { path: () => `/api/admin/uploads/${'0'.repeat(32)}`, statuses: admins(404) },
  'PATCH /api/admin/uploads/:id': {
    path: () => `/api/admin/uploads/${'0'.repeat(32)}`,
    body: () => ({}),
    statuses: admins(412),
  },
  'DELETE /api/admin/uploads/:id': {
    path: () => `/api/admin/uploads/${'0'.repeat(32)}`,
    statuses: admins(412),
  },
}
