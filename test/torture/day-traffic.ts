// An hour of a shop's day beside its purchases and page views: sign-ups, messages, downloads, uploads, and what the author reads.
import type { openErrands } from './errands.ts'
import type { Sale } from './sale.ts'

const adminPages = ['sales', 'purchases', 'users', 'products', 'messages', 'backups', 'payments']
const downloadsAnHour = 5

export async function spendHour(
  url: string,
  { crowd, ledger, products }: Sale,
  errands: ReturnType<typeof openErrands>,
): Promise<void> {
  await signUp(url)
  await post(`${url}/api/contact`, {
    name: 'Ruth',
    email: 'ruth@example.com',
    subject: 'Hello',
    message: 'Hello',
  })
  for (const page of adminPages) await crowd.ask(crowd.author, `/api/admin/${page}`)
  const { id } = products.find(({ format }) => format === 'digital')!
  const owned = [...ledger.acknowledged].filter(([key]) => ledger.asked.get(key)!.product_id === id)
  for (const [nth, [key, purchase]] of owned.slice(-downloadsAnHour).entries()) {
    const person = crowd.people.find(({ user_id }) => user_id === ledger.asked.get(key)!.user_id)!
    const { isOk, body } = await crowd.ask<{ url: string }>(
      person,
      `/api/purchases/${purchase.id}/download`,
      {},
    )
    // Some links are never followed.
    if (isOk && nth % 2 === 0) await (await fetch(url + body.url)).bytes()
  }
  // One that is used, one that is never finished.
  const { place } = await errands.beginUpload()
  await errands.beginUpload()
  await errands.sendUpload(place)
  await errands.addEdition(place)
}

/** Of an address that is never confirmed. */
async function signUp(url: string): Promise<void> {
  await post(`${url}/auth/v1/signup`, {
    email: `never-confirmed-${crypto.randomUUID()}@example.com`,
    password: 'a long enough password',
  })
}

async function post(address: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.bytes()
}
