// The purchases of this browser with an address only: for each the proof that opens it, made here and sent with the order. They
// are stored in the browser, so that a reload, a second tab and a lost response lead to the same purchase.
import { textIn, toObject, purchasesInMemory } from '../page/page-state.ts'
import { keepsStorage } from '../session/session.ts'

const name = 'guest-purchases'
const maxStored = 20

type Keys = Pick<Storage, 'getItem' | 'setItem'>

export type GuestEntry = {
  proof: string
  product_id: string
  email: string
  code?: string | undefined
  /** Unknown until the shop has responded. */
  purchase_id?: string | undefined
  /** The end of a paid purchase's downloads. */
  ends_at?: string | undefined
}

/** The document remembers them where the browser forbids storage: a second click leads to the same checkout. */
const inDocument: Keys = {
  getItem: purchasesInMemory.get,
  setItem: (_name, entries) => purchasesInMemory.set(entries),
}

const ownKeys = (): Keys => (keepsStorage() ? localStorage : inDocument)

/** The entry of the purchase that is not paid yet: at most one for each product. */
export function findUnpaid(product_id: string, keys: Keys = ownKeys()): GuestEntry | undefined {
  return readEntries(keys).find((entry) => entry.product_id === product_id && !entry.ends_at)
}

type NewGuestPurchase = Pick<GuestEntry, 'product_id' | 'email' | 'code'> & { key?: string }

export function beginGuestPurchase(
  { product_id, email, code, key }: NewGuestPurchase,
  keys: Keys = ownKeys(),
): GuestEntry {
  const isUsed = readEntries(keys).some(({ proof }) => proof === key)
  const proof = key && !isUsed ? key : newProof()
  const entry = { ...(findUnpaid(product_id, keys) ?? { proof, product_id }), email, code }
  saveEntry(entry, keys)
  return entry
}

export function findEntry(purchase_id: string, keys: Keys = ownKeys()): GuestEntry | undefined {
  return readEntries(keys).find((entry) => entry.purchase_id === purchase_id)
}

/** Newest first; those whose shop has not responded yet have no page. */
export function listEntries(keys: Keys = ownKeys()): (GuestEntry & { purchase_id: string })[] {
  return readEntries(keys).flatMap(({ purchase_id, ...entry }) =>
    purchase_id ? [{ ...entry, purchase_id }] : [],
  )
}

const linkToken = /^#([A-Za-z0-9_-]{43})$/

export type PurchaseProof = { proof: string; isLink: boolean }

/** The token of a receipt's link is in the fragment, which browsers send to no server. */
export function findProof(purchase_id: string): PurchaseProof | undefined {
  const [, token] = linkToken.exec(location.hash) ?? []
  if (token) return { proof: token, isLink: true }
  const entry = findEntry(purchase_id)
  return entry && { proof: entry.proof, isLink: false }
}

/** True also where the token of a link was copied only in part. */
export const hasFragment = () => location.hash.length > 1

/** A purchase that is known stays where it is: they are listed newest first. */
export function saveEntry(entry: GuestEntry, keys: Keys = ownKeys()): void {
  const entries = readEntries(keys)
  const at = entries.findIndex(({ proof }) => proof === entry.proof)
  writeEntries(at < 0 ? [entry, ...entries].slice(0, maxStored) : entries.with(at, entry), keys)
}

export function dropEntry({ proof }: Pick<GuestEntry, 'proof'>, keys: Keys = ownKeys()): void {
  writeEntries(
    readEntries(keys).filter((entry) => entry.proof !== proof),
    keys,
  )
}

/** Reads those whose downloads have ended, too: they may still be given back, and the shop says when they open nothing more. */
function readEntries(keys: Keys): GuestEntry[] {
  const stored = parseList(keys.getItem(name))
  return stored.flatMap((each: unknown) => {
    const fields = toObject(each)
    const [proof, product_id, email] = ['proof', 'product_id', 'email'].map((key) => textIn(fields, key))
    const ends_at = textIn(fields, 'ends_at')
    if (!proof || !product_id) return []
    const [code, purchase_id] = ['code', 'purchase_id'].map((key) => textIn(fields, key))
    return [{ proof, product_id, email: email ?? '', code, purchase_id, ends_at }]
  })
}

function parseList(text: string | null): unknown[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

function writeEntries(entries: GuestEntry[], keys: Keys): void {
  keys.setItem(name, JSON.stringify(entries))
}

/** 32 bytes in base64url. */
export function newProof(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
