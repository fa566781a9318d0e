import { z } from 'zod'

export const cursor = z.string().max(1000)

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: cursor.nullable() })
}

export type Page<Item> = { items: Item[]; next: string | null }

export const boundedCount = z.object({ count: z.number().int(), isMore: z.boolean() })
export type BoundedCount = z.infer<typeof boundedCount>

/** The ids of what stands beside it in its list. */
export const neighbors = z.object({ newer: z.uuid().nullable(), older: z.uuid().nullable() })
export type Neighbors = z.infer<typeof neighbors>
