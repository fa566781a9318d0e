// The state that the browser holds outside of components. It lives as long as the document: the router's navigations
// leave it, a reload begins anew. On the server it keeps its first value, for rendered pages are the same for all users.
import type { AuthClient } from '@supabase/auth-js'
import type { Discount } from '#contract/orders/discounts.ts'
import type { SaleMode } from '#contract/catalog/products.ts'
import type { ShippingRange } from '#contract/orders/prices.ts'

export type Store<State> = {
  first: State
  get: () => State
  set: (state: State) => void
  subscribe: (listener: () => void) => () => void
}

export function createStore<State>(first: State): Store<State> {
  const listeners = new Set<() => void>()
  let state = first
  return {
    first,
    get: () => state,
    set(next) {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The client of GoTrue, from the first call that needs it; emptied when it could not be loaded. */
export const authClients = createStore<Promise<InstanceType<typeof AuthClient>> | undefined>(undefined)

/** Until the token has to be renewed, where the client is not loaded (session.ts). */
export const renewalTimer = createStore<ReturnType<typeof setTimeout> | undefined>(undefined)

export type Toast = {
  title: string
  description?: string
  destructive?: boolean
  isBrief?: boolean
  /** Until it is closed. */
  stays?: boolean
  /** The next page may be in another language: it says a notice of named-notice.ts in its own words. */
  name?: string
  action?: { label: string; onPress: () => void }
  link?: { label: string; to: string }
  /** The time of its first showing, in ms: on the page before, where it came along. */
  at?: number
}
/** `since` is the time from which this page shows it, in ms. */
export type ShownToast = Toast & { id: number; at: number; since: number }

/** Aborted and replaced when the user signs out. */
export const signOuts = createStore(new AbortController())

/** True after the button: it leads home, where a session that has ended leads to the sign-in. */
export const isSigningOut = createStore(false)

/** Counts the changes that this tab makes to the session, which itself lives in local storage (session.ts). */
export const sessionChanges = createStore(0)

/** The notices on the screen; each is removed by its timer or by hand. */
export const toasts = createStore<{ shown: readonly ShownToast[]; lastId: number }>({ shown: [], lastId: 0 })

/** The places for notices: the page's and those of open dialogs. The last one shows them. */
export const toastRegions = createStore<readonly string[]>([])

/** The accepted discount code. Session storage has it too: after a reload it is checked again. */
export const acceptedDiscount = createStore<Discount | undefined>(undefined)
export const discountKey = 'discount-code'

/** The code that was tried first, where the shop took none. */
export const refusedCode = createStore<string | undefined>(undefined)

/** True where a receipt leaves the shop, as the page came (root.tsx), for what runs outside of components. */
export const receiptsAreSent = createStore(true)

/** Set when an admin changes them in this tab; otherwise the page's own hold (root.tsx). */
export const changedSaleMode = createStore<SaleMode | undefined>(undefined)
export const changedShipping = createStore<ShippingRange | undefined>(undefined)

/** A guest's purchases (guest-purchases.ts), where the browser forbids storage. */
export const purchasesInMemory = createStore<string | null>(null)

/** The ids of the forms with unsaved text (use-unsaved-changes.ts), until they are saved, left or discarded. */
export const unsavedForms = createStore<ReadonlySet<string>>(new Set())

export type JsonObject = Readonly<Record<string, unknown>>

export function parseObject(text: string): JsonObject {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

export function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function textIn(object: JsonObject, field: string): string | undefined {
  const value = object[field]
  return typeof value === 'string' ? value : undefined
}
