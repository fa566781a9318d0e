// The first steps, the checks before opening, and the setup of the shop.
import { z } from 'zod'
import { maxPreviewChapters } from '../book/book.ts'
import { verdict } from '../checks.ts'
import { email, password, money } from '../fields.ts'
import { saleMode, productFields, releaseDay } from '../catalog/products.ts'
import { currency } from '../stripe.ts'
import { readBook } from '../files/read-book.ts'
import { euPaperLack, taxQuestion } from '../overview/today.ts'
import { settingValues } from '../settings/settings.ts'
import { setupSteps } from './setup-steps.ts'

/** The steps are in their order. The book that visitors see changes at the last one. */
const setupStep = z.enum(setupSteps)

const firstStepNames = ['admin', 'words', 'book', 'mail', 'payments', 'purchase'] as const

export const firstSteps = z.object({
  steps: z.array(z.object({ name: z.enum(firstStepNames), is_done: z.boolean() })),
  /** Where the setup goes on, once the author has brought a book and until the shop is opened with it. */
  setup_step: setupStep.exclude(['done']).nullable(),
  payments: z.enum(['none', 'test', 'live']),
  sale_mode: saleMode,
  /** The settings alone say this of these steps; undefined once they are done. */
  checks: z.object({ mail: verdict.optional(), payments: verdict.optional() }),
})
export type FirstSteps = z.infer<typeof firstSteps>

/**
 * Who can open the shop's address: this computer, its network, visitors without https; nobody, since it does not lead to
 * this shop; it answers the shop itself; it was opened from another network.
 */
const reachStates = ['computer', 'network', 'no_https', 'fault', 'answers', 'reached'] as const
export type Reach = (typeof reachStates)[number]

export const siteAddress = z.object({
  url: z.string(),
  reach: z.enum(reachStates),
  check: verdict,
  /** A proxy in front says who calls, and TRUST_PROXY is 0: limits count all visitors as one. */
  proxy: verdict.nullable(),
  /** SVG of the address, where it answers over https; else null. */
  qr_code: z.string().nullable(),
})
export type SiteAddress = z.infer<typeof siteAddress>

export const setupLink = z.object({ token: z.string().max(200) })

export const setupRequest = setupLink.extend({ email, password })
export type SetupRequest = z.infer<typeof setupRequest>

export const openingCheck = z.object({
  mail: verdict,
  payments: verdict,
  /** Null where nothing digital is offered. */
  file: verdict.nullable(),
  /** Says whether imprint and privacy policy are shown. */
  legal: verdict,
  tax_question: taxQuestion.nullable(),
  eu_paper_lacks: z.array(euPaperLack),
  /** Null where nothing on paper is offered. Prices in the shop's currency; they are 0 where the book is free. */
  parcel: z.object({ countries: z.array(z.string()).min(1), min_price: money, max_price: money }).nullable(),
})
export type OpeningCheck = z.infer<typeof openingCheck>

export const offers = z
  .array(
    z.strictObject({
      format: productFields.format,
      price: productFields.price,
      /** A format is for sale from the opening on, or a pre-order until its day. */
      release_on: releaseDay.default(null),
    }),
  )
  .max(4)
  .refine(
    (all) => new Set(all.map((offer) => offer.format)).size === all.length,
    'Each format has one price.',
  )
  .refine(
    (all) => all.length !== 1 || all[0]?.format !== 'bundle',
    'A bundle needs another format that it holds.',
  )
export type Offers = z.infer<typeof offers>

const setupFile = readBook.omit({ chapters: true }).extend({
  name: z.string(),
  /** Uploads that nothing came of are removed after three days. */
  is_stored: z.boolean(),
  /** `length` is in characters. */
  chapters: z.array(readBook.shape.chapters.element.omit({ markdown: true }).extend({ length: z.int() })),
})

export const bookSetup = z.object({
  step: setupStep,
  file: setupFile.nullable(),
  offers,
  /** The shop has this currency; `locked` says why it cannot be changed any more. */
  currency: z.object({ code: currency, locked: z.string().nullable() }),
  /** `is_chosen`: by an admin or the environment; `variable` is that of the environment. */
  time_zone: z.object({ name: z.string(), is_chosen: z.boolean(), variable: z.string().nullable() }),
})
export type BookSetup = z.infer<typeof bookSetup>

export const chosenStep = z.strictObject({ step: setupStep.exclude(['done']) })

const { countries, price } = settingValues.shape.shipping.shape

export const chosenOffers = z.strictObject({
  offers,
  currency: currency.optional(),
  /** Parcels go to these countries at this price; what the environment sets is left out. */
  shipping: z.strictObject({ countries: countries.optional(), price: price.optional() }).optional(),
})

export type ChosenOffers = z.infer<typeof chosenOffers>

export const chosenTimeZone = settingValues.shape.shop.pick({ time_zone: true }).strict()

/** Places in the file's chapters. `revision` is that of the draft which is changed. */
export const chosenPreview = z.strictObject({
  revision: z.int().min(0),
  chapters: z.array(z.int().min(0)).min(1).max(maxPreviewChapters),
})

export const openRequest = z.strictObject({ revision: z.int().min(0) })
