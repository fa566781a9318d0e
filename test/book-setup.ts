// Setting up a shop with a book of one's own, as an admin does.
import { readFile } from 'node:fs/promises'
import type { DraftState } from '#contract/book/book.ts'
import type { BookSetup } from '#contract/setup/setup.ts'
import type { TestShop } from './shop.ts'
import { upload } from './upload.ts'
import type { Person } from './users.ts'

export const readFixture = (name: string) => readFile(new URL(`books/${name}`, import.meta.url))

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a test knows what it asks for
export async function call<Result = BookSetup>(admin: Person, method: string, path: string, body?: object) {
  const response = await admin.call(method, `/api/admin/${path}`, body && { body })
  return { status: response.status, json: (await response.json()) as Result & { code?: string } }
}

export async function take(shop: TestShop, admin: Person, name: string) {
  const upload_id = await upload(shop, admin, await readFixture(name), name)
  return call(admin, 'POST', 'setup/file', { upload_id })
}

export const draftOf = async (admin: Person) => (await call<DraftState>(admin, 'GET', 'book/draft')).json
