// Reads mails as a mail program would.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

export type Mailbox = {
  /** All mails so far, oldest first. */
  all(): Promise<Email[]>
  /** Waits for the first mail to this address (whose subject matches). */
  to(address: string, subject?: RegExp): Promise<Email>
}

const timeoutMs = 60_000

/** Those that a shop without a mail server has kept. */
export async function readOutbox(folder: string): Promise<Email[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).toSorted()
  return Promise.all(files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
}

export function openMailbox(all: () => Promise<Email[]>): Mailbox {
  return {
    all,
    async to(address, subject = /./) {
      const deadline = Date.now() + timeoutMs
      while (Date.now() < deadline) {
        const found = (await all()).find(
          (mail) => mail.to?.some((to) => to.address === address) && subject.test(mail.subject ?? ''),
        )
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(
        `no mail to ${address} with a subject like ${String(subject)} came within ${timeoutMs} ms`,
      )
    },
  }
}
