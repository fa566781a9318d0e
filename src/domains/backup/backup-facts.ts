// The rows of a backup tell people who choose one which shop it is of.
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { fullTitle } from '#contract/book/book.ts'
import { isWholeSite } from '#contract/settings/settings.ts'
import type { BackupStore } from './backup-store.ts'
import type { Manifest } from './manifest.ts'

type Facts = { title: string | null; site_url: string | null }
type Row = Record<string, string | null>

const json = z.string().transform(readJson)
const book = json.pipe(z.object({ title: z.string(), product: z.string() }))
const shop = json.pipe(
  z.object({ site_url: z.string().optional(), confirmed_site_url: z.string().nullish() }),
)

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null each, where it cannot be read: a restore compares everything. */
export async function readShopFacts(
  store: Pick<BackupStore, 'readObject'>,
  manifest: Manifest,
): Promise<Facts> {
  const read = (name: string) => readRowsOf(store, manifest, name).catch(() => [])
  const versions = await read('public.book_versions')
  const newest = versions.toSorted((a, b) => Number(b['number']) - Number(a['number']))[0]
  const document = book.safeParse(newest?.['document']).data
  const settings = (await read('public.settings')).find(({ name }) => name === 'shop')
  const fields = shop.safeParse(settings?.['fields']).data
  const address = fields?.site_url ?? fields?.confirmed_site_url
  const isAddress = address && URL.canParse(address) && isWholeSite(new URL(address))
  return { title: document ? fullTitle(document).slice(0, 200) : null, site_url: isAddress ? address : null }
}

/** It is that of the secret which the backup's data have. Undefined: it cannot be read, or they have none. */
export async function readFingerprint(
  store: Pick<BackupStore, 'readObject'>,
  manifest: Manifest,
): Promise<Buffer | undefined> {
  const [row] = await readRowsOf(store, manifest, 'auth.secret_fingerprint').catch(() => [])
  const [, hex] = /^\\x([\da-f]+)$/.exec(row?.['fingerprint'] ?? '') ?? []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

/** Larger tables, in bytes, are not read: a hostile one could be larger than the memory. */
const maxBytes = 32 * 1024 * 1024

async function readRowsOf(
  store: Pick<BackupStore, 'readObject'>,
  { tables }: Manifest,
  name: string,
): Promise<Row[]> {
  const table = tables.find((each) => each.name === name)
  if (!table || table.size > maxBytes) return []
  const compressed = await buffer(await store.readObject(table.object))
  const rows = await promisify(gunzip)(compressed, { maxOutputLength: maxBytes })
  const lines = rows.toString().split('\n').slice(0, -1)
  return lines.map((line) => {
    const values = line.split('\t').map(unescapeValue)
    return Object.fromEntries(table.columns.map((column, nth) => [column, values[nth] ?? null]))
  })
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** The text format of COPY: https://www.postgresql.org/docs/current/sql-copy.html */
function unescapeValue(text: string): string | null {
  if (text === '\\N') return null
  return text.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
}
