// Legal pages as an author has filled them in, and how they are published.
import { legalPages } from '#content/legal-pages.ts'
import { type BookDocument, draftState } from '#contract/book/book.ts'
import { legalPageNames, type Legal } from '#contract/book/legal.ts'
import type { Person } from './users.ts'

export const filledBlanks = {
  ...legalPages.blanks,
  seller: 'A. *Seller* & Co_',
  address: '1 Some Street\n12345 Town',
  email: 'shop@example.com',
  law: 'Ireland',
  host: 'a host in Ireland',
}

/** With all pages switched on. */
export function filledLegal(change: Partial<Legal> = {}): Legal {
  const pages = structuredClone(legalPages.pages)
  for (const name of legalPageNames) pages[name].is_shown = true
  return { ...legalPages, blanks: filledBlanks, pages, ...change }
}

export async function publishLegal(admin: Pick<Person, 'call'>, legal: Legal): Promise<Response> {
  return publishBook(admin, { legal })
}

/** The newest draft with this change. */
export async function publishBook(
  admin: Pick<Person, 'call'>,
  change: Partial<BookDocument>,
): Promise<Response> {
  const state = draftState.parse(await (await admin.call('GET', '/api/admin/book/draft')).json())
  // Publishing wants a source for the sample's rating.
  const document: BookDocument = { ...state.document, rating: null, ...change }
  const body = { revision: state.revision, document }
  const { revision } = draftState.parse(
    await (await admin.call('PUT', '/api/admin/book/draft', { body })).json(),
  )
  return admin.call('POST', '/api/admin/book/publish', { body: { revision } })
}
