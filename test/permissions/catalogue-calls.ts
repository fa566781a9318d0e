// The routes of the admin area about the book and what is sold: its words, setup, products, discounts and gifts.
import { randomUUID } from 'node:crypto'
import { sampleBook } from '#content/sample-book.ts'
import { admins, type Call } from './call-table.ts'

export const catalogueCalls: Record<string, Call> = {
  'GET /api/admin/book/files': { statuses: admins(200) },
  'GET /api/admin/book/files/:id': {
    path: () => `/api/admin/book/files/${randomUUID()}`,
    statuses: admins(404),
  },
  'GET /api/admin/book/draft': { statuses: admins(200) },
  'PUT /api/admin/book/draft': {
    body: () => ({ revision: 0, document: sampleBook }),
    statuses: admins(200),
  },
  // The sample's rating has no source.
  'POST /api/admin/book/publish': { body: () => ({ revision: 1 }), statuses: admins(422) },
  'POST /api/admin/book/restore': { body: () => ({ revision: 1, number: 1 }), statuses: admins(404) },
  'POST /api/admin/book/discard': { body: () => ({ revision: 1 }), statuses: admins(200) },
  'GET /api/admin/book/warnings': { statuses: admins(200) },
  'POST /api/admin/book/preview': { body: () => ({}), statuses: admins(200) },

  'GET /api/admin/setup': { statuses: admins(200) },
  'GET /api/admin/setup/check': { statuses: admins(200) },
  'POST /api/admin/setup/file': { body: () => ({ upload_id: '0'.repeat(32) }), statuses: admins(404) },
  'PUT /api/admin/setup/step': { body: () => ({ step: 'words' }), statuses: admins(200) },
  'PUT /api/admin/setup/preview': { body: () => ({ revision: 0, chapters: [0] }), statuses: admins(422) },
  'PUT /api/admin/setup/offers': { body: () => ({ offers: [] }), statuses: admins(200) },
  'PUT /api/admin/setup/time-zone': { body: () => ({ time_zone: 'UTC' }), statuses: admins(200) },
  // The draft was changed since.
  'POST /api/admin/setup/open': { body: () => ({ revision: 0 }), statuses: admins(409) },
  'GET /api/admin/products': { statuses: admins(200) },
  'GET /api/admin/products/:id': {
    path: ({ product_id }) => `/api/admin/products/${product_id}`,
    statuses: admins(200),
  },
  'POST /api/admin/products': {
    body: () => ({ name: 'On paper', price: 1, format: 'paperback', is_digital: false }),
    statuses: admins(201),
  },
  'PUT /api/admin/products/order': {
    body: ({ product_id }) => ({ ids: [product_id] }),
    statuses: admins(200),
  },
  'PATCH /api/admin/products/:id': {
    path: ({ product_id }) => `/api/admin/products/${product_id}`,
    body: () => ({ description: 'Another' }),
    statuses: admins(200),
  },
  'POST /api/admin/pictures': { body: () => ({ upload_id: '0'.repeat(32) }), statuses: admins(404) },
  'PUT /api/admin/products/:id/cover': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/cover`,
    body: () => ({ upload_id: '0'.repeat(32) }),
    statuses: admins(404),
  },
  'DELETE /api/admin/products/:id/cover': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/cover`,
    statuses: admins(200),
  },
  'POST /api/admin/products/:id/copies': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/copies`,
    body: () => ({}),
    statuses: admins(201),
  },
  'PUT /api/admin/products/:id/archived': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/archived`,
    body: () => ({ is_archived: false }),
    statuses: admins(200),
  },
  // What is sold there is a file.
  'PUT /api/admin/products/:id/stock': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/stock`,
    body: () => ({ copies: 3, seen: null }),
    statuses: admins(422),
  },
  'GET /api/admin/products/:id/open-checkouts': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/open-checkouts?price=1`,
    statuses: admins(200),
  },
  'PUT /api/admin/products/:id/parts': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/parts`,
    body: () => ({ ids: [] }),
    statuses: admins(422),
  },
  'POST /api/admin/products/:id/editions': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/editions`,
    body: () => ({ upload_id: '0'.repeat(32) }),
    statuses: admins(404),
  },
  'GET /api/admin/discounts': { statuses: admins(200) },
  'POST /api/admin/discounts': {
    body: () => ({ code: randomUUID().slice(0, 8), percent: 10 }),
    statuses: admins(201),
  },
  'PUT /api/admin/discounts/:id/resumed': {
    path: () => `/api/admin/discounts/${randomUUID()}/resumed`,
    body: () => ({}),
    statuses: admins(404),
  },
  'PUT /api/admin/discounts/:id/ended': {
    path: () => `/api/admin/discounts/${randomUUID()}/ended`,
    body: () => ({}),
    statuses: admins(404),
  },
  'POST /api/admin/products/:id/editions/check': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/editions/check`,
    body: () => ({ upload_id: 'a'.repeat(32) }),
    statuses: admins(404),
  },
  'POST /api/admin/products/:id/editions/:file_id/current': {
    path: ({ product_id }) => `/api/admin/products/${product_id}/editions/${randomUUID()}/current`,
    statuses: admins(404),
  },
  'POST /api/admin/editions/:id/link': {
    path: () => `/api/admin/editions/${randomUUID()}/link`,
    statuses: admins(404),
  },
  'GET /api/admin/editions/:id/announcement': {
    path: () => `/api/admin/editions/${randomUUID()}/announcement`,
    statuses: admins(404),
  },
  'PUT /api/admin/editions/:id/announcement': {
    path: () => `/api/admin/editions/${randomUUID()}/announcement`,
    body: () => ({ changes: '' }),
    statuses: admins(404),
  },
  'POST /api/admin/editions/:id/announcement/preview': {
    path: () => `/api/admin/editions/${randomUUID()}/announcement/preview`,
    body: () => ({ changes: '', is_buyer: true }),
    statuses: admins(404),
  },
  'PUT /api/admin/editions/:id/announcement/paused': {
    path: () => `/api/admin/editions/${randomUUID()}/announcement/paused`,
    body: () => ({ is_paused: true }),
    statuses: admins(404),
  },
  'GET /api/admin/gifts': { statuses: admins(200) },
  'DELETE /api/admin/gifts/:id': {
    path: () => `/api/admin/gifts/${randomUUID()}`,
    statuses: admins(404),
  },
  'POST /api/admin/gifts/check': {
    body: ({ product_id }) => ({ product_id, list: 'someone@example.com' }),
    statuses: admins(200),
  },
  'POST /api/admin/gifts': {
    body: ({ product_id }) => ({ product_id, list: 'someone@example.com' }),
    statuses: admins(200),
  },
}
