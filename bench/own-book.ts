// A shop with a book of its own: words that were edited, and a photographed cover.
import { z } from 'zod'
import { draftState } from '../src/contract/book/book.ts'
import { picture } from '../src/contract/files/pictures.ts'
import { paintNoise } from '../test/pictures.ts'
import { upload } from '../test/upload.ts'
import { signIn, startShop, type Author, type Shop } from './processes.ts'

export async function startOwnShop(): Promise<Shop & { author: Author }> {
  const shop = await startShop()
  const author = await signIn(shop)
  const token = author.headers.authorization.replace('Bearer ', '')
  const photograph = await paintNoise(1600, 2400).blur(3).jpeg().toBuffer()
  const upload_id = await upload(shop, { token }, photograph, 'cover.jpg')
  const cover = await author.call(picture, 'POST', '/api/admin/pictures', { upload_id })
  await publish(author, { rating: null, cover: { ...cover, alt: 'A photograph' } })
  return { ...shop, author }
}

export async function publish({ call }: Author, change: object): Promise<void> {
  const { document, revision } = await call(draftState, 'GET', '/api/admin/book/draft')
  const next = { revision, document: { ...document, ...change } }
  const saved = await call(draftState, 'PUT', '/api/admin/book/draft', next)
  await call(z.unknown(), 'POST', '/api/admin/book/publish', { revision: saved.revision })
}
