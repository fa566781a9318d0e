import { z } from 'zod'

export const cursor = z.string().max(1000)

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: cursor.nullable() })
}

export type Page<Item> = { items: Item[]; next: string | null }

export const boundedCount = z.object({ count: z.number().int(), isMore: z.boolean() })
export type BoundedCount = z.infer<typeof boundedCount>
