// What a visitor would meet if the shop opened now.
import { z } from 'zod'
import { money } from '../fields.ts'

/** `answer` is what the server or Stripe said; empty where it said nothing. */
const answer = z.string()

export const openingCheck = z.object({
  mail: z.object({ state: z.enum(['works', 'refused', 'not_set_up']), answer }),
  payments: z.object({
    state: z.enum(['live', 'test', 'refused', 'unreachable', 'free', 'not_for_sale', 'key_missing']),
    answer,
  }),
  /** Null where nothing digital is offered. */
  file: z.enum(['ready', 'missing']).nullable(),
  /** Null where nothing on paper is offered. Prices in the shop's currency; they are 0 where the book is free. */
  parcel: z.object({ countries: z.array(z.string()).min(1), min_price: money, max_price: money }).nullable(),
})
export type OpeningCheck = z.infer<typeof openingCheck>
