// Pages of long lists. A page begins after a place in the order, not after a number of rows: the last costs what the first does.
import { z } from 'zod'

/** Given as `after` to have the next page; its content is the server's business. */
export const cursor = z.string().max(1000)

/** `next` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: cursor.nullable() })
}

export type Page<Item> = { items: Item[]; next: string | null }

/** How many there are, counted no further than `most`. */
export const boundedCount = z.object({ count: z.number().int(), isMore: z.boolean() })
export type BoundedCount = z.infer<typeof boundedCount>
