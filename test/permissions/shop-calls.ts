// The routes of visitors and buyers.
import { randomUUID } from 'node:crypto'
import { someAddress } from '../addresses.ts'
import { everyone, owner, signedIn, type Call } from './call-table.ts'

/** Well formed, of no purchase. */
const unknownProof = 'A'.repeat(43)

export const shopCalls: Record<string, Call> = {
  'GET /api/health': { statuses: everyone(200) },
  'GET /api/ready': { statuses: everyone(200) },
  'GET /api/openapi.json': { statuses: everyone(200) },
  'GET /api/products': { statuses: everyone(200) },
  'GET /api/book/chapters': { statuses: everyone(200) },
  'GET /api/book/legal': { statuses: everyone(200) },
  'GET /api/account': { statuses: signedIn(200) },
  'POST /api/account/data': { statuses: signedIn(200) },
  'GET /api/account/erasure': { statuses: signedIn(200) },
  'POST /api/account/erasure': { statuses: { ...signedIn(200), admin: 409 } },
  'DELETE /api/account/erasure': { statuses: signedIn(200) },
  'DELETE /api/account/new-address': { statuses: signedIn(200) },
  'GET /api/account/sessions': { statuses: signedIn(200) },
  'DELETE /api/account/sessions/:id': {
    path: () => `/api/account/sessions/${randomUUID()}`,
    statuses: signedIn(200),
  },
  'GET /api/account/mail-choices': { statuses: signedIn(200) },
  'PUT /api/account/mail-choices': { body: () => ({ has_editions: true }), statuses: signedIn(200) },
  'GET /api/mail-choices/:token': {
    path: () => `/api/mail-choices/${unknownProof}`,
    statuses: everyone(404),
  },
  'PUT /api/mail-choices/:token': {
    path: () => `/api/mail-choices/${unknownProof}`,
    body: () => ({ has_editions: false }),
    statuses: everyone(404),
  },
  'POST /emails/:token': { path: () => `/emails/${unknownProof}`, statuses: everyone(404) },
  // No pages here.
  'GET /emails/:token': { path: () => `/emails/${unknownProof}`, statuses: everyone(404) },
  'GET /api/purchases/:id/editions': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/editions`,
    statuses: owner(200),
  },
  'GET /api/me': { statuses: signedIn(200) },
  'POST /api/me/proof': { body: () => ({ current_password: 'correct horse' }), statuses: signedIn(200) },
  'GET /api/purchases': { statuses: signedIn(200) },
  'POST /api/purchases': { body: ({ product_id }) => ({ product_id }), statuses: signedIn(201) },
  'POST /api/purchases/:id/download': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/download`,
    body: () => ({}),
    statuses: owner(200),
  },
  'GET /api/purchases/:id/receipt': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/receipt`,
    statuses: owner(200),
  },
  'POST /api/purchases/:id/settle': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/settle`,
    body: () => ({}),
    statuses: owner(200),
  },
  // Nothing was paid for it, so there is nothing to give back.
  'POST /api/purchases/:id/refund': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/refund`,
    body: () => ({}),
    statuses: owner(409),
  },
  // No request waits.
  'DELETE /api/purchases/:id/refund': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/refund`,
    statuses: owner(200),
  },
  // The sample's shop asks for an account first.
  'POST /api/guest/purchases': {
    body: ({ product_id }) => ({ product_id, email: 'guest@example.com', proof: unknownProof }),
    statuses: everyone(409),
  },
  'POST /api/guest/purchases/:id/settle': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/settle`,
    body: () => ({ proof: unknownProof }),
    statuses: everyone(404),
  },
  'POST /api/guest/purchases/:id/download': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/download`,
    body: () => ({ proof: unknownProof }),
    statuses: everyone(404),
  },
  'POST /api/guest/purchases/:id/link': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/link`,
    body: () => ({ proof: unknownProof }),
    statuses: everyone(404),
  },
  'POST /api/guest/purchases/:id/receipt': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/receipt`,
    body: () => ({ proof: unknownProof }),
    statuses: everyone(404),
  },
  'POST /api/guest/receipts': { body: () => ({ email: 'guest@example.com' }), statuses: everyone(200) },
  'POST /api/guest/purchases/:id/address': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/address`,
    body: ({ purchase_id: id }) => ({ proof: unknownProof, id, email: 'right@example.com' }),
    statuses: everyone(404),
  },
  'POST /api/guest/purchases/:id/refund': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/refund`,
    body: () => ({ proof: unknownProof }),
    statuses: everyone(404),
  },
  'POST /api/guest/purchases/:id/refund/end': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/refund/end`,
    body: () => ({ proof: unknownProof }),
    statuses: everyone(404),
  },
  'POST /api/guest/purchases/:id/return': {
    path: ({ purchase_id }) => `/api/guest/purchases/${purchase_id}/return`,
    body: () => ({ proof: 'cs_test_unknown1', new_proof: unknownProof }),
    statuses: everyone(404),
  },
  // The sample takes no money.
  'POST /api/withdrawals': {
    body: () => ({ name: 'Ruth', email: 'guest@example.com', order: '#1001' }),
    statuses: everyone(409),
  },
  'POST /api/withdrawals/look': { body: () => ({ token: 'x' }), statuses: everyone(403) },
  'POST /api/withdrawals/proof': {
    body: ({ purchase_id }) => ({ token: 'x', purchase_id }),
    statuses: everyone(403),
  },
  'POST /api/account/address-link': { body: () => ({ token_hash: 'x' }), statuses: everyone(403) },
  'POST /api/moved-purchases/objection': {
    body: () => ({ token: unknownProof, message: '' }),
    statuses: everyone(403),
  },
  // It is out.
  'POST /api/products/:id/waitlist': {
    path: ({ product_id }) => `/api/products/${product_id}/waitlist`,
    body: () => ({ email: 'reader@example.com' }),
    statuses: everyone(409),
  },
  'POST /api/release-waitlist/confirm': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/release-waitlist/show': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/release-waitlist/end': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  // This shop has no excerpt.
  'POST /api/excerpt': { body: () => ({ email: 'reader@example.com' }), statuses: everyone(409) },
  'POST /api/excerpt/show': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/excerpt/download': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/excerpt/letters': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  // This shop has no letters.
  'POST /api/letters': {
    body: () => ({ email: 'reader@example.com', words: 'Letters' }),
    statuses: everyone(409),
  },
  'POST /api/letters/show': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/letters/confirm': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/letters/refuse': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'GET /api/subscriptions/:token': {
    path: () => `/api/subscriptions/${unknownProof}`,
    statuses: everyone(404),
  },
  'POST /api/subscriptions/:token/end': {
    path: () => `/api/subscriptions/${unknownProof}/end`,
    statuses: everyone(404),
  },
  'DELETE /api/subscriptions/:token': {
    path: () => `/api/subscriptions/${unknownProof}`,
    statuses: everyone(404),
  },
  'POST /api/mail-choices/:token/letters/end': {
    path: () => `/api/mail-choices/${unknownProof}/letters/end`,
    statuses: everyone(404),
  },
  'GET /api/account/letters': { statuses: signedIn(200) },
  'PUT /api/account/letters': { body: () => ({}), statuses: signedIn(200) },
  'POST /api/gifts/show': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  'POST /api/gifts/open': { body: () => ({ token: unknownProof }), statuses: everyone(403) },
  // No email is sent by this shop.
  'PUT /api/purchases/:id/gift': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/gift`,
    body: () => ({ email: 'friend@example.com', sender_name: 'A' }),
    statuses: signedIn(409),
  },
  'POST /api/purchases/:id/gift/mails': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/gift/mails`,
    statuses: signedIn(409),
  },
  'DELETE /api/purchases/:id/gift': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/gift`,
    statuses: owner(200),
  },
  'GET /api/shipping': { statuses: everyone(200) },
  // An unknown code.
  'POST /api/discounts/check': { body: () => ({ code: 'NONE' }), statuses: everyone(422) },
  // What was bought is a file.
  'PUT /api/purchases/:id/address': {
    path: ({ purchase_id }) => `/api/purchases/${purchase_id}/address`,
    body: () => someAddress,
    statuses: owner(404),
  },
  // The link itself is the permission: it is short-lived, signed, and only its owner was told of it.
  'GET /cover/:file': { path: () => '/cover/none.jpg', statuses: everyone(404) },
  'GET /pictures/:id/:rendition': { path: () => '/pictures/none/640.webp', statuses: everyone(404) },
  'GET /api/drafts/:token': { path: ({ draft }) => draft, statuses: everyone(200) },
  'GET /api/edition-files/:token': { path: () => '/api/edition-files/none', statuses: everyone(404) },
  'GET /api/excerpt-files/:token': { path: () => '/api/excerpt-files/none', statuses: everyone(404) },
  'GET /api/files/:token': { path: ({ file }) => file, statuses: everyone(200) },
  // Every shop here has an admin, so no link is valid.
  'POST /api/setup/link': { body: () => ({ token: 'none' }), statuses: everyone(403) },
  'POST /api/setup': {
    body: () => ({ token: 'none', email: 'thief@example.com', password: 'nine good words' }),
    statuses: everyone(403),
  },
  'POST /api/setup/restore/state': { body: () => ({ token: 'none' }), statuses: everyone(403) },
  'POST /api/setup/restore/open': {
    body: () => ({
      token: 'none',
      source: { kind: 'file', upload_id: '0'.repeat(32) },
      passphrase: 'in the beginning',
    }),
    statuses: everyone(403),
  },
  'POST /api/setup/restore/start': { body: () => ({ token: 'none', name: 'none' }), statuses: everyone(403) },
  'POST /api/setup/restore/uploads': { statuses: everyone(403) },
  'GET /api/setup/restore/uploads/:id': {
    path: () => `/api/setup/restore/uploads/${'0'.repeat(32)}`,
    statuses: everyone(403),
  },
  'PATCH /api/setup/restore/uploads/:id': {
    path: () => `/api/setup/restore/uploads/${'0'.repeat(32)}`,
    statuses: everyone(403),
  },
  'DELETE /api/setup/restore/uploads/:id': {
    path: () => `/api/setup/restore/uploads/${'0'.repeat(32)}`,
    statuses: everyone(403),
  },
  // The forms of pages are sent as forms, and JSON is none.
  'GET /contact': { statuses: everyone(308) },
  'POST /contact': { body: () => ({}), statuses: everyone(415) },
  // No pages here.
  'GET /buy/:product': { path: () => '/buy/digital', statuses: everyone(404) },
  'POST /buy/:product': { path: () => '/buy/digital', body: () => ({}), statuses: everyone(415) },
  'POST /find-purchase': { body: () => ({}), statuses: everyone(415) },
  'POST /sample': { body: () => ({}), statuses: everyone(415) },
  'POST /letters': { body: () => ({}), statuses: everyone(415) },
  'GET /find-purchase/receipts': { statuses: everyone(308) },
  'POST /find-purchase/receipts': { body: () => ({}), statuses: everyone(415) },
  'GET /tell-me/:id': { path: ({ product_id }) => `/tell-me/${product_id}`, statuses: everyone(404) },
  'POST /tell-me/:id': {
    path: ({ product_id }) => `/tell-me/${product_id}`,
    body: () => ({}),
    statuses: everyone(415),
  },
  'POST /withdraw': { body: () => ({}), statuses: everyone(415) },
  'GET /withdraw/received': { statuses: everyone(404) },
  'GET /purchase/:id': {
    path: ({ purchase_id }) => `/purchase/${purchase_id}?session_id=cs_test_unknown1`,
    statuses: everyone(404),
  },
  'POST /purchase/:id/download': {
    path: ({ purchase_id }) => `/purchase/${purchase_id}/download`,
    body: () => ({}),
    statuses: everyone(415),
  },
  'POST /purchase/:id/refund': {
    path: ({ purchase_id }) => `/purchase/${purchase_id}/refund`,
    body: () => ({}),
    statuses: everyone(415),
  },
  'POST /api/contact': {
    body: () => ({ name: 'A', email: 'a@example.com', subject: 'S', message: 'M' }),
    statuses: everyone(201),
  },
}
