// The answer that a page shows to one request; such a page is not cached.
import type { FieldProblems } from '#contract/field-rules.ts'
import type { MissingSection } from '#contract/book/shown-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Subscription } from '#contract/mail/subscribers.ts'
import type { LinkedMailChoices } from '#contract/delivery/editions.ts'
import type { Discount } from '#contract/orders/discounts.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'

export type PageAnswer = {
  /** The page's own, if none is given. */
  status?: number
  /** Seconds, after a limit that was reached. */
  retryAfter?: number | undefined
  form?: FormAnswer
  shown?: Shown
}

/** The server's findings about a form that was posted without scripts. */
export type FormAnswer = {
  /** The form's address. */
  action: string
  values: Readonly<Record<string, string>>
  problems?: FieldProblems | undefined
  /** It has arrived. */
  isSent?: boolean
  /** A problem that is about none of its fields. */
  notice?: string | undefined
}

export type Shown = {
  /** Only in the preview of a draft. */
  missingSections?: readonly MissingSection[]
  /** The choices behind the link in the address. */
  mailChoices?: LinkedMailChoices
  /** The consent to letters behind the link in the address. */
  subscription?: Subscription
  buying?: Buying
  /** Not out yet: a visitor asks to be told when it is. */
  awaited?: Product | undefined
  onward?: Onward
  openedPurchase?: OpenedPurchase
  declared?: Declared
  refused?: Refused
  refusedDownload?: RefusedDownload
}

/** A product that is about to be bought. */
export type Buying = {
  product: Product
  /** The code of the address. */
  code?: { entered: string; discount?: Discount | undefined; problem?: string | undefined } | undefined
  /** Present where something is shipped, and what that costs depends on the country. */
  terms?: ShippingTerms | undefined
  /** The key of this purchase, however often its form is sent. It opens the order later, so it is never read from an address. */
  orderKey: string
}

/** A page that leads on by itself: a form may lead to no other site, and not to one that leads there. */
export type Onward = {
  to: string
  isPayment: boolean
  /** The page of the order: after a download has begun, this page stays. */
  back?: string | undefined
}

/** A purchase that the id of its checkout opens, or the key of its form. */
export type OpenedPurchase = {
  id: string
  access: string
  /** The address that shows it again; the key of a form stands in none. */
  address?: string | undefined
  /** None where it is unknown, or could not be read. */
  purchase?: GuestPurchase
  isUnknown?: boolean
}

/** A refusal of the whole form, by its code, and the address that its page leads to. */
export type Refused = { code: string; back: string }

/** A refused download, and the purchase that its link was made for; none where the link cannot be read. */
export type RefusedDownload = {
  code: string
  /** The time that such a link works. */
  minutes: number
  isExcerpt: boolean
  purchase?: { id: string; product: string; isOfGuest: boolean }
}

/** A withdrawal that is about to be declared, or was received. */
export type Declared = {
  /** The key of this declaration, however often its form is sent. */
  key?: string | undefined
  name: string
  email: string
  order: string
  declared_at?: string
  is_mailed?: boolean
}
