// A product's picture in queries, for the row of products around it; null without one.
import { sql } from 'drizzle-orm'
import type { Picture } from '../pictures/contract/pictures.ts'

/** Where browsers find one that fits a card. */
export const coverUrl = sql<string | null>`'/api/pictures/' || products.cover_id || '/640.webp'`

export const cover = sql<Picture | null>`(
  select jsonb_build_object('id', pictures.id, 'width', pictures.width, 'height', pictures.height)
  from pictures where pictures.id = products.cover_id)`
