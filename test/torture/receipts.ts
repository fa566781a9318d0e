// The receipts in the outbox: waited for, and counted.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'

/** How often the receipt of each purchase, by its id, lies in the outbox. */
export type Receipts = Map<string, number>

/** A job whose process was killed is tried again only after its heartbeat has been missed. */
const timeoutMs = 90_000

/** Reads until each of these purchases has a receipt, or none has come for a long time. */
export async function collectReceipts(dataDir: string, purchases: Iterable<string>): Promise<Receipts> {
  const outbox = join(dataDir, 'outbox')
  const seen = new Set<string>()
  const receipts: Receipts = new Map()
  const missing = new Set(purchases)
  let lastNews = Date.now()
  for (;;) {
    const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml') && !seen.has(name))
    for (const name of names) {
      seen.add(name)
      const id = receiptOf(await PostalMime.parse(await readFile(join(outbox, name))))
      if (!id) continue
      receipts.set(id, (receipts.get(id) ?? 0) + 1)
      missing.delete(id)
    }
    if (names.length > 0) lastNews = Date.now()
    else if (missing.size === 0 || Date.now() - lastNews > timeoutMs) return receipts
    await sleep(200)
  }
}

/** The id of the purchase, where the email is a receipt. */
export function receiptOf({ subject = '', text = '' }: { subject?: string; text?: string }) {
  if (!subject.startsWith('Your receipt for ')) return undefined
  return /\/dashboard\/receipts\/([0-9a-f-]{36})/.exec(text)?.[1]
}
